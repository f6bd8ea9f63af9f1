/* SPDX-License-Identifier: BSD-3-Clause */
/* Added error classes and codes where a host gives its codes again in another life of MPI. Prints "right". */
#include "convert/added_code.h"

#include <stdio.h>
#include <string.h>

#include "require.h"

int main(int argc, char **argv)
{
    enum { FIRST = 200, SECOND = 201 };
    char text[1024];
    int length;
    if (argc > 1 && strcmp(argv[1], "shared") == 0)
        added_share();
    app_code class = added_add((host_code)FIRST, (host_code)FIRST, 1), code = added_add((host_code)SECOND, (host_code)FIRST, 1);
    CHECK(class != code && added_is_class(class) && !added_is_class(code) && added_has_codes(class));
    CHECK(added_set_string(code, "of the first life") && added_copy_string(code, text, &length));
    /* The same one, once more. */
    CHECK(added_add((host_code)SECOND, (host_code)FIRST, 1) == code && added_has_string(code));

    app_code other = added_add((host_code)FIRST, (host_code)FIRST, 2), last = added_add((host_code)SECOND, (host_code)SECOND, 2);
    CHECK(added_is_class(other) && !added_has_codes(other));
    CHECK(added_is_class(last) && !added_has_string(last) && added_host_class(last) == (host_code)SECOND);
    CHECK(added_find((host_code)SECOND) == last && added_host_code(last) == (host_code)SECOND);
    added_forget(last);
    CHECK(added_find((host_code)SECOND) == 0 && added_host_code(last) == 0);
    CHECK(added_add((host_code)SECOND, (host_code)FIRST, 2) != 0 && added_has_codes(other));
    puts("right");
    return 0;
}
