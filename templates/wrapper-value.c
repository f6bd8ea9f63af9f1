
PROCEDURE($type, $base, $parameters)
{
    return host.$procedure($arguments);
}
