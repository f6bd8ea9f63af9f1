
PROCEDURE($type, $base, $parameters)
{
$declare
    $assign host.$procedure($arguments);
$always
    if (likely(rc == 0)) {
$success
        return 0;
    }
    return error_to_app(rc);
}
