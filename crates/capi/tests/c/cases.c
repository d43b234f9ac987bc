/* Runs the cases of a file and writes their contacts: cases IN OUT. Numbers are the bits of doubles in hexadecimal.
 *
 * Every case is run twice: with geometries made by their own functions, and again with geometries made from the JSON of the
 * first ones. Both must agree. */
#include <palpate.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *in;

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, palpate_last_error());
    exit(1);
}

static void check(palpate_status status, const char *what) {
    if (status != PALPATE_OK)
        fail(what);
}

static double number(void) {
    uint64_t bits;
    double value;
    if (fscanf(in, "%" SCNx64, &bits) != 1)
        fail("a number is missing");
    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t whole(void) {
    size_t value;
    if (fscanf(in, "%zu", &value) != 1)
        fail("a count is missing");
    return value;
}

static double *numbers(size_t count) {
    double *values = malloc((count ? count : 1) * sizeof *values);
    for (size_t k = 0; k < count; k++)
        values[k] = number();
    return values;
}

/* A word of any length; the caller frees it. */
static char *word(void) {
    size_t capacity = 64, length = 0;
    char *text = malloc(capacity);
    int c = fgetc(in);
    while (c == ' ' || c == '\n')
        c = fgetc(in);
    for (; c != EOF && c != ' ' && c != '\n'; c = fgetc(in)) {
        if (length + 1 == capacity)
            text = realloc(text, capacity *= 2);
        text[length++] = (char)c;
    }
    text[length] = 0;
    return text;
}

static palpate_pose pose(void) {
    palpate_pose made;
    for (int k = 0; k < 3; k++)
        made.position[k] = number();
    for (int k = 0; k < 4; k++)
        made.rotation[k] = number();
    return made;
}

static palpate_points points(void) {
    palpate_points made;
    memset(&made, 0, sizeof made);
    made.count = whole();
    made.data = numbers(3 * made.count);
    return made;
}

static palpate_geometry *geometry(void);

static palpate_geometry *mesh(uint32_t kind) {
    palpate_mesh_options options = palpate_mesh_options_default();
    palpate_points vertices = points();
    palpate_cells cells;
    palpate_geometry *made;
    uint32_t *ids;
    memset(&cells, 0, sizeof cells);
    cells.count = kind == PALPATE_POINT_SET ? 0 : whole();
    ids = malloc((cells.count * 4 + 1) * sizeof *ids);
    for (size_t k = 0; k < cells.count * (kind + 1); k++)
        ids[k] = (uint32_t)whole();
    cells.data = ids;
    options.radius = number();
    check(palpate_geometry_mesh(kind, &vertices, &cells, &options, &made), "mesh");
    free(ids);
    free((void *)(uintptr_t)vertices.data);
    return made;
}

static palpate_geometry *shape(const char *name) {
    palpate_geometry *made = NULL;
    palpate_pose at = pose();
    double *sizes = numbers(3);
    if (!strcmp(name, "capsule"))
        check(palpate_geometry_capsule(&at, sizes[0], sizes[1], &made), name);
    else if (!strcmp(name, "cylinder"))
        check(palpate_geometry_cylinder(&at, sizes[0], sizes[1], &made), name);
    else if (!strcmp(name, "cone"))
        check(palpate_geometry_cone(&at, sizes[0], sizes[1], &made), name);
    else if (!strcmp(name, "box"))
        check(palpate_geometry_box(&at, sizes, &made), name);
    else if (!strcmp(name, "ellipsoid"))
        check(palpate_geometry_ellipsoid(&at, sizes, &made), name);
    else
        fail(name);
    free(sizes);
    return made;
}

static palpate_geometry *convex(void) {
    palpate_geometry *made;
    palpate_pose at = pose();
    palpate_points vertices = points();
    double radius = number();
    check(palpate_geometry_convex(&at, &vertices, radius, &made), "convex");
    free((void *)(uintptr_t)vertices.data);
    return made;
}

static palpate_geometry *implicit(void) {
    palpate_geometry *made;
    palpate_function *function;
    palpate_pose at = pose();
    double scale = number();
    char *json = word();
    check(palpate_function_json(json, &function), "function");
    check(palpate_geometry_implicit(&at, scale, function, &made), "implicit");
    palpate_function_free(function);
    free(json);
    return made;
}

static palpate_geometry *compound(void) {
    palpate_geometry *made, *children[16];
    size_t count = whole();
    for (size_t k = 0; k < count; k++)
        children[k] = geometry();
    check(palpate_geometry_compound(children, count, &made), "compound");
    return made;
}

static palpate_geometry *geometry(void) {
    palpate_geometry *made = NULL;
    char *name = word();
    if (!strcmp(name, "sphere")) {
        double *values = numbers(4);
        check(palpate_geometry_sphere(values, values[3], &made), name);
        free(values);
    } else if (!strcmp(name, "plane")) {
        double *values = numbers(6);
        check(palpate_geometry_plane(values, values + 3, (uint32_t)whole(), &made), name);
        free(values);
    } else if (!strcmp(name, "convex"))
        made = convex();
    else if (!strcmp(name, "mesh"))
        made = mesh((uint32_t)whole());
    else if (!strcmp(name, "implicit"))
        made = implicit();
    else if (!strcmp(name, "compound"))
        made = compound();
    else
        made = shape(name);
    free(name);
    return made;
}

static palpate_geometry *again(palpate_scene *scene, palpate_geometry_id id) {
    palpate_geometry *made;
    size_t length = 0;
    char *json;
    if (palpate_scene_geometry_json(scene, id, NULL, 0, &length) != PALPATE_BUFFER_TOO_SMALL)
        fail("the length of a description");
    json = malloc(length + 1);
    check(palpate_scene_geometry_json(scene, id, json, length + 1, &length), "description");
    check(palpate_geometry_json(json, NULL, &made), "geometry from its description");
    free(json);
    return made;
}

/* Adds both geometries and their pair, steps, and returns the contacts. */
static const palpate_contact *run(palpate_scene *scene, palpate_geometry *a, palpate_geometry *b,
                                  const palpate_pair_options *options, palpate_geometry_id ids[2], size_t *count) {
    const palpate_contact *contacts;
    palpate_pair_id pair;
    check(palpate_scene_add(scene, "a", a, NULL, &ids[0]), "add a");
    check(palpate_scene_add(scene, "b", b, NULL, &ids[1]), "add b");
    check(palpate_scene_add_pair(scene, ids[0], ids[1], options, &pair), "pair");
    check(palpate_scene_step(scene, NULL), "step");
    check(palpate_scene_contacts(scene, pair, &contacts, count), "contacts");
    return contacts;
}

static void answer(FILE *out) {
    palpate_pair_options options = palpate_pair_options_default();
    palpate_scene *scenes[2];
    palpate_geometry_id ids[2], other[2];
    const palpate_contact *contacts[2];
    size_t counts[2];
    uint64_t total;
    char *detector = word(), *settings;
    options.margin = number();
    settings = word();
    options.detector = strcmp(detector, "-") ? detector : NULL;
    options.settings_json = strcmp(settings, "-") ? settings : NULL;
    for (int k = 0; k < 2; k++)
        check(palpate_scene_new(NULL, &scenes[k]), "scene");
    {
        palpate_geometry *a = geometry(), *b = geometry();
        contacts[0] = run(scenes[0], a, b, &options, ids, &counts[0]);
    }
    {
        palpate_geometry *a = again(scenes[0], ids[0]), *b = again(scenes[0], ids[1]);
        contacts[1] = run(scenes[1], a, b, &options, other, &counts[1]);
    }
    if (counts[0] != counts[1] || memcmp(contacts[0], contacts[1], counts[0] * sizeof *contacts[0]))
        fail("the contacts differ for geometries made from their descriptions");
    total = counts[0];
    fwrite(&total, sizeof total, 1, out);
    fwrite(contacts[0], sizeof *contacts[0], counts[0], out);
    for (int k = 0; k < 2; k++)
        check(palpate_scene_free(scenes[k]), "free");
    free(detector);
    free(settings);
}

int main(int argc, char **argv) {
    FILE *out = argc == 3 ? fopen(argv[2], "wb") : NULL;
    in = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (!in || !out || PALPATE_CHECK_ABI() != PALPATE_OK)
        fail("cases IN OUT");
    for (size_t count = whole(); count > 0; count--)
        answer(out);
    fclose(in);
    return fclose(out);
}
