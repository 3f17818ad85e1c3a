/* Control variables of an MPI library (MPI_T): integers that are set for a while, and their list.
 */
#ifndef HOPBINE_CONTROL_VARIABLES_H
#define HOPBINE_CONTROL_VARIABLES_H
#include <dlfcn.h> /* define _GNU_SOURCE before */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLE_TEXT = 1 << 14 };

struct variable {
    MPI_T_cvar_handle handle;
    int value, usual;
};

static void variable_set(const struct variable *v, int on) {
    MPI_T_cvar_write(v->handle, on ? &v->value : &v->usual);
}

/* Reads VARIABLE=INTEGER, which it changes. NULL, or why the library cannot set it. */
static const char *variable_open(struct variable *v, char *word) {
    char *value = strchr(word, '=');
    int index, count;
    if (!value) return "its variables cannot be read";
    *value++ = 0;
    if (MPI_T_cvar_get_index(word, &index) ||
        MPI_T_cvar_handle_alloc(index, NULL, &v->handle, &count) ||
        MPI_T_cvar_read(v->handle, &v->usual))
        return "the library has no such variable";
    v->value = atoi(value);
    if (MPI_T_cvar_write(v->handle, &v->value)) return "its variable cannot be set";
    variable_set(v, 0);
    return NULL;
}

/* Prints the library's file, and the variables that have a word in their name: settable in a
 * running program or not, values, description. */
static void variables_list(int rank, int words, char **word) {
    static char name[512], text[VARIABLE_TEXT];
    int n;
    Dl_info library_file;
    if (rank == 0 && dladdr((void *)MPI_Get_version, &library_file))
        printf("library %s\n", library_file.dli_fname);
    MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n && rank == 0; ++i) {
        int name_length = sizeof name, text_length = sizeof text, verbosity, bind, scope, items = 0;
        MPI_Datatype type;
        MPI_T_enum values;
        if (MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &values, text,
                                &text_length, &bind, &scope))
            continue;
        int asked = 0;
        for (int k = 0; k < words; ++k) asked |= strstr(name, word[k]) != NULL;
        if (!asked) continue;
        const int settable = scope != MPI_T_SCOPE_CONSTANT && scope != MPI_T_SCOPE_READONLY;
        printf("variable %s %d\n", name, settable && type == MPI_INT);
        name_length = sizeof name;
        if (values != MPI_T_ENUM_NULL) MPI_T_enum_get_info(values, &items, name, &name_length);
        for (int k = 0; k < items; ++k) {
            int value;
            name_length = sizeof name;
            if (!MPI_T_enum_get_item(values, k, &value, name, &name_length))
                printf("item %d %s\n", value, name);
        }
        for (char *row = strtok(text, "\n"); row; row = strtok(NULL, "\n"))
            printf("text %s\n", row);
    }
}

#endif
