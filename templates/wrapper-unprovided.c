
PROCEDURE(int, $base, void)
{
    return error_to_app(unsupported("$base"));
}
