/* Wrong calls: each is a status and a text, nothing is lost, and the next call works. */
#include <palpate.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

/* Wants a status, and words in the text. */
static void wants(int line, palpate_status found, palpate_status wanted, const char *words) {
    if (found != wanted || (words && !strstr(palpate_last_error(), words))) {
        fprintf(stderr, "line %d: %s, wanted %s with \"%s\": %s\n", line, palpate_status_name(found),
                palpate_status_name(wanted), words ? words : "", palpate_last_error());
        wrong++;
    }
}
#define WANTS(call, status, words) wants(__LINE__, call, status, words)
#define OK(call) wants(__LINE__, call, PALPATE_OK, NULL)
#define TRUE(condition) wants(__LINE__, (condition) ? PALPATE_OK : PALPATE_PANIC, PALPATE_OK, NULL)

static const double ORIGIN[3] = {0, 0, 0};
static const double UP[3] = {0, 1, 0};
static const double CORNERS[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t FACES[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static palpate_points corners(void) {
    palpate_points made;
    memset(&made, 0, sizeof made);
    made.data = CORNERS;
    made.count = 4;
    return made;
}

static palpate_cells faces(void) {
    palpate_cells made;
    memset(&made, 0, sizeof made);
    made.data = FACES;
    made.count = 4;
    return made;
}

static palpate_geometry *ball(double height) {
    palpate_geometry *made;
    double center[3] = {0, 0, 0};
    center[1] = height;
    OK(palpate_geometry_sphere(center, 1, &made));
    return made;
}

static void shapes(void) {
    palpate_geometry *made = (palpate_geometry *)(uintptr_t)1;
    palpate_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    double bad[3] = {0, 0, 0};
    bad[1] = NAN;
    WANTS(palpate_geometry_sphere(NULL, 1, &made), PALPATE_NULL, "center is null");
    TRUE(made == NULL);
    WANTS(palpate_geometry_sphere(ORIGIN, 1, NULL), PALPATE_NULL, "geometry");
    WANTS(palpate_geometry_sphere(bad, 1, &made), PALPATE_INVALID_ARGUMENT, "wanted a finite number");
    WANTS(palpate_geometry_sphere(ORIGIN, -1, &made), PALPATE_INVALID_ARGUMENT, "radius is -1");
    pose.rotation[0] = 2;
    WANTS(palpate_geometry_capsule(&pose, 1, 1, &made), PALPATE_INVALID_ARGUMENT, "its length is not 1");
    WANTS(palpate_geometry_plane(ORIGIN, UP, 7, &made), PALPATE_INVALID_ARGUMENT, "two_sided is 7");
    WANTS(palpate_geometry_json("{", NULL, &made), PALPATE_INVALID_ARGUMENT, "not valid JSON");
    WANTS(palpate_geometry_json("{\"type\": \"Sfere\"}", NULL, &made), PALPATE_INVALID_ARGUMENT, "Sfere");
    WANTS(palpate_geometry_json("\xff", NULL, &made), PALPATE_INVALID_ARGUMENT, "not UTF-8");
    palpate_geometry_free(NULL);
}

static void meshes(void) {
    palpate_geometry *made;
    palpate_points points = corners();
    palpate_cells cells = faces();
    palpate_mesh_options options = palpate_mesh_options_default();
    uint32_t far_away[3] = {0, 1, 4};
    int32_t negative[3] = {0, -1, 2};
    WANTS(palpate_geometry_mesh(9, &points, &cells, NULL, &made), PALPATE_INVALID_ARGUMENT, "kind of mesh is 9");
    WANTS(palpate_geometry_mesh(PALPATE_SURFACE_MESH, &points, NULL, NULL, &made), PALPATE_NULL, "cells");
    points.count = SIZE_MAX;
    WANTS(palpate_geometry_mesh(2, &points, &cells, NULL, &made), PALPATE_OUT_OF_RANGE, "count of vertices");
    points.count = 4;
    points.stride = SIZE_MAX / 2;
    WANTS(palpate_geometry_mesh(2, &points, &cells, NULL, &made), PALPATE_OUT_OF_RANGE, "fits into memory");
    points.stride = 8;
    WANTS(palpate_geometry_mesh(2, &points, &cells, NULL, &made), PALPATE_INVALID_ARGUMENT, "stride");
    points.stride = 0;
    points.unit = -1;
    WANTS(palpate_geometry_mesh(2, &points, &cells, NULL, &made), PALPATE_INVALID_ARGUMENT, "unit");
    points.unit = 0;
    points.scalar = 5;
    WANTS(palpate_geometry_mesh(2, &points, &cells, NULL, &made), PALPATE_INVALID_ARGUMENT, "scalar");
    points.scalar = 0;
    cells.data = far_away;
    cells.count = 1;
    WANTS(palpate_geometry_mesh(2, &points, &cells, NULL, &made), PALPATE_OUT_OF_RANGE, "names vertex 4");
    cells.data = negative;
    cells.index = PALPATE_I32;
    WANTS(palpate_geometry_mesh(2, &points, &cells, NULL, &made), PALPATE_OUT_OF_RANGE, "vertex -1");
    cells = faces();
    options.struct_size = 3;
    WANTS(palpate_geometry_mesh(2, &points, &cells, &options, &made), PALPATE_INVALID_ARGUMENT, "struct_size");
    options = palpate_mesh_options_default();
    options.sidedness = 8;
    WANTS(palpate_geometry_mesh(2, &points, &cells, &options, &made), PALPATE_INVALID_ARGUMENT, "sidedness is 8");
    OK(palpate_geometry_mesh(2, &points, &cells, NULL, &made));
    palpate_geometry_free(made);
}

/* A later version of a struct is accepted as long as its new fields are zero. */
static void versions(void) {
    struct {
        palpate_scene_options known;
        uint64_t later;
    } options;
    palpate_build_info info;
    palpate_scene *scene;
    options.known = palpate_scene_options_default();
    options.later = 0;
    options.known.struct_size = sizeof options;
    OK(palpate_scene_new(&options.known, &scene));
    OK(palpate_scene_free(scene));
    options.later = 1;
    WANTS(palpate_scene_new(&options.known, &scene), PALPATE_INVALID_ARGUMENT, "which this version knows");
    info.struct_size = sizeof info;
    OK(palpate_get_build_info(&info));
    TRUE(info.abi_version == PALPATE_ABI_VERSION && info.contact_size == sizeof(palpate_contact));
    info.struct_size = 4;
    WANTS(palpate_get_build_info(&info), PALPATE_INVALID_ARGUMENT, "struct_size");
    WANTS(palpate_check_abi(99, sizeof(palpate_contact), sizeof(void *)), PALPATE_INVALID_ARGUMENT, "is 99");
    OK(PALPATE_CHECK_ABI());
}

static void ids(void) {
    palpate_scene *scene, *other;
    palpate_geometry_id a, b, foreign;
    palpate_pair_id pair, none = 0;
    palpate_pair_options options = palpate_pair_options_default();
    const palpate_contact *contacts;
    size_t count;
    palpate_pose pose = {{0, 1.5, 0}, {1, 0, 0, 0}};
    OK(palpate_scene_new(NULL, &scene));
    OK(palpate_scene_new(NULL, &other));
    WANTS(palpate_scene_add(NULL, "a", ball(0), NULL, &a), PALPATE_NULL, "scene");
    WANTS(palpate_scene_add(scene, NULL, ball(0), NULL, &a), PALPATE_NULL, "name");
    WANTS(palpate_scene_add(scene, "a", NULL, NULL, &a), PALPATE_NULL, "geometry");
    OK(palpate_scene_add(scene, "a", ball(0), NULL, &a));
    WANTS(palpate_scene_add(scene, "a", ball(0), NULL, &b), PALPATE_INVALID_ARGUMENT, "in the scene already");
    OK(palpate_scene_add(scene, "b", ball(1.5), NULL, &b));
    OK(palpate_scene_add(other, "b", ball(1.5), NULL, &foreign));
    WANTS(palpate_scene_add_pair(scene, a, foreign, NULL, &pair), PALPATE_INVALID_HANDLE, "another scene");
    WANTS(palpate_scene_add_pair(scene, a, 0, NULL, &pair), PALPATE_INVALID_HANDLE, "null");
    WANTS(palpate_scene_add_pair(scene, a, b + 1, NULL, &pair), PALPATE_INVALID_HANDLE, "never given");
    options.margin = -1;
    WANTS(palpate_scene_add_pair(scene, a, b, &options, &pair), PALPATE_INVALID_ARGUMENT, "margin is -1");
    options.margin = 0;
    options.detector = "sphere_capsule";
    WANTS(palpate_scene_add_pair(scene, a, b, &options, &pair), PALPATE_UNSUPPORTED, "does not accept");
    options.detector = "spere_spere";
    WANTS(palpate_scene_add_pair(scene, a, b, &options, &pair), PALPATE_NOT_FOUND, "unknown detector");
    options.detector = NULL;
    options.settings_json = "[1]";
    WANTS(palpate_scene_add_pair(scene, a, b, &options, &pair), PALPATE_INVALID_ARGUMENT, "JSON object");
    options.settings_json = "{\"manifolds\": true}";
    WANTS(palpate_scene_add_pair(scene, a, b, &options, &pair), PALPATE_INVALID_ARGUMENT, "manifolds");
    WANTS(palpate_scene_add_pair(scene, a, a, NULL, &pair), PALPATE_UNSUPPORTED, "with itself");
    OK(palpate_scene_add_pair(scene, a, b, NULL, &pair));
    WANTS(palpate_scene_set_pose(scene, pair, &pose), PALPATE_INVALID_HANDLE, "is of a pair");
    WANTS(palpate_scene_contacts(scene, a, &contacts, &count), PALPATE_INVALID_HANDLE, "is of a geometry");
    WANTS(palpate_scene_contacts(scene, none, &contacts, &count), PALPATE_INVALID_HANDLE, "null");
    OK(palpate_scene_step(scene, NULL));
    OK(palpate_scene_contacts(scene, pair, &contacts, &count));
    TRUE(count == 1 && contacts[0].depth == 0.5);
    pose.position[0] = INFINITY;
    WANTS(palpate_scene_set_pose(scene, b, &pose), PALPATE_INVALID_ARGUMENT, "finite");
    WANTS(palpate_scene_find(scene, "c", &a), PALPATE_NOT_FOUND, "\"c\"");
    OK(palpate_scene_remove(scene, b));
    WANTS(palpate_scene_contacts(scene, pair, &contacts, &count), PALPATE_INVALID_HANDLE, "removed");
    WANTS(palpate_scene_set_pose(scene, b, &pose), PALPATE_INVALID_ARGUMENT, NULL);
    OK(palpate_scene_step(scene, NULL));
    OK(palpate_scene_free(scene));
    OK(palpate_scene_free(other));
    OK(palpate_scene_free(NULL));
}

static void vertices(void) {
    palpate_scene *scene;
    palpate_geometry *made;
    palpate_geometry_id mesh, sphere;
    palpate_points points = corners();
    palpate_cells cells = faces();
    double *mapped, kept[12];
    size_t count;
    uint32_t removed[2] = {1, 1}, first, added, map[4];
    float small[4][4] = {{0, 0, 0, 9}, {100, 0, 0, 9}, {0, 100, 0, 9}, {0, 0, 100, 9}};
    OK(palpate_scene_new(NULL, &scene));
    OK(palpate_geometry_mesh(2, &points, &cells, NULL, &made));
    OK(palpate_scene_add(scene, "mesh", made, NULL, &mesh));
    OK(palpate_scene_add(scene, "ball", ball(0), NULL, &sphere));
    points.count = 3;
    WANTS(palpate_scene_set_vertices(scene, mesh, &points), PALPATE_INVALID_ARGUMENT, "has length 3");
    WANTS(palpate_scene_set_vertices(scene, sphere, &points), PALPATE_UNSUPPORTED, "has no vertices");
    WANTS(palpate_scene_unmap_vertices(scene, mesh), PALPATE_NOT_FOUND, "not mapped");
    OK(palpate_scene_map_vertices(scene, mesh, &mapped, &count));
    TRUE(count == 4 && mapped[3] == 1);
    mapped[4] = NAN;
    WANTS(palpate_scene_unmap_vertices(scene, mesh), PALPATE_INVALID_ARGUMENT, "finite");
    mapped[4] = 0.25;
    OK(palpate_scene_unmap_vertices(scene, mesh));
    WANTS(palpate_scene_vertices(scene, mesh, kept, 3, &count), PALPATE_BUFFER_TOO_SMALL, "wanted 4");
    TRUE(count == 4);
    OK(palpate_scene_vertices(scene, mesh, kept, 4, &count));
    TRUE(kept[4] == 0.25);
    /* Centimetres, float, 16 bytes apart, left-handed. */
    points.data = small;
    points.count = 4;
    points.stride = sizeof small[0];
    points.scalar = PALPATE_F32;
    points.unit = 0.01;
    points.mirror = PALPATE_MIRROR_Y;
    OK(palpate_scene_set_vertices(scene, mesh, &points));
    OK(palpate_scene_vertices(scene, mesh, kept, 4, &count));
    TRUE(kept[3] == 1 && kept[7] == -1 && kept[11] == 1);
    WANTS(palpate_scene_remove_cells(scene, mesh, removed, 2), PALPATE_OUT_OF_RANGE, "named twice");
    WANTS(palpate_scene_remove_cells(scene, sphere, removed, 1), PALPATE_UNSUPPORTED, "kind sphere");
    OK(palpate_scene_remove_cells(scene, mesh, removed, 1));
    WANTS(palpate_scene_split_cell(scene, mesh, 1, UP, &first, &added), PALPATE_OUT_OF_RANGE, "removed");
    OK(palpate_scene_split_cell(scene, mesh, 0, UP, &first, &added));
    TRUE(first == 4 && added == 3);
    WANTS(palpate_scene_compact_cells(scene, mesh, map, 4, &count), PALPATE_BUFFER_TOO_SMALL, "wanted 7");
    {
        uint32_t whole[7];
        OK(palpate_scene_compact_cells(scene, mesh, whole, 7, &count));
        TRUE(whole[0] == PALPATE_NONE && whole[2] == 0 && whole[6] == 4);
    }
    OK(palpate_scene_step(scene, NULL));
    OK(palpate_scene_free(scene));
}

static int32_t refuse(void *user, const double *point, double *value, double *gradient) {
    (void)point;
    *value = gradient[0] = gradient[1] = gradient[2] = 0;
    return *(int32_t *)user;
}

/* A ball of radius 1, until `fails` is set; calls the scene back if there is one. */
struct host {
    palpate_scene *scene;
    palpate_status reentered, freed;
    int32_t fails;
    int destroyed;
};

static int32_t unit_ball(void *user, const double *point, double *value, double *gradient) {
    struct host *host = user;
    double length = sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    if (host->scene)
        host->reentered = palpate_scene_step(host->scene, NULL), host->freed = palpate_scene_free(host->scene);
    *value = length - 1;
    for (int k = 0; k < 3; k++)
        gradient[k] = length > 0 ? point[k] / length : k == 1;
    return host->fails;
}

static void destroyed(void *user) { ((struct host *)user)->destroyed++; }

static void callbacks(void) {
    struct host host = {NULL, PALPATE_OK, PALPATE_OK, 0, 0};
    int32_t seven = 7;
    palpate_function_callbacks callbacks = palpate_function_callbacks_default();
    palpate_function *function;
    palpate_geometry *made;
    palpate_scene *scene;
    palpate_geometry_id body, sphere;
    palpate_pair_id pair;
    const palpate_contact *contacts;
    size_t count;
    WANTS(palpate_function_callback(NULL, &function), PALPATE_NULL, "callbacks");
    WANTS(palpate_function_callback(&callbacks, &function), PALPATE_NULL, "sample");
    callbacks.sample = unit_ball;
    callbacks.user = &host;
    callbacks.destroy = destroyed;
    callbacks.is_distance = 1;
    for (int k = 0; k < 3; k++) {
        callbacks.box_min[k] = 1;
        callbacks.box_max[k] = -1;
    }
    WANTS(palpate_function_callback(&callbacks, &function), PALPATE_INVALID_ARGUMENT, "the lower first");
    TRUE(host.destroyed == 1);
    for (int k = 0; k < 3; k++) {
        callbacks.box_min[k] = -1;
        callbacks.box_max[k] = 1;
    }
    OK(palpate_function_callback(&callbacks, &function));
    OK(palpate_geometry_implicit(NULL, 1, function, &made));
    palpate_function_free(function);
    OK(palpate_scene_new(NULL, &scene));
    OK(palpate_scene_add(scene, "body", made, NULL, &body));
    OK(palpate_scene_add(scene, "ball", ball(1.5), NULL, &sphere));
    OK(palpate_scene_add_pair(scene, sphere, body, NULL, &pair));
    OK(palpate_scene_step(scene, NULL));
    OK(palpate_scene_contacts(scene, pair, &contacts, &count));
    TRUE(count == 1 && fabs(contacts[0].depth - 0.5) < 1e-12);
    /* A pair that nothing changed for asks nobody. */
    host.fails = 7;
    OK(palpate_scene_step(scene, NULL));
    OK(palpate_scene_set_margin(scene, pair, 0));
    WANTS(palpate_scene_step(scene, NULL), PALPATE_CALLBACK_FAILED, "returned 7");
    OK(palpate_scene_contacts(scene, pair, &contacts, &count));
    TRUE(count == 1 && fabs(contacts[0].depth - 0.5) < 1e-12);
    host.fails = 0;
    host.scene = scene;
    OK(palpate_scene_set_margin(scene, pair, 0));
    OK(palpate_scene_step(scene, NULL));
    TRUE(host.reentered == PALPATE_BUSY && host.freed == PALPATE_BUSY);
    OK(palpate_scene_free(scene));
    TRUE(host.destroyed == 2);
    /* A function that fails while its body is made. */
    callbacks.sample = refuse;
    callbacks.user = &seven;
    callbacks.destroy = NULL;
    OK(palpate_function_callback(&callbacks, &function));
    WANTS(palpate_geometry_implicit(NULL, 1, function, &made), PALPATE_CALLBACK_FAILED, "returned 7");
    palpate_function_free(function);
}

static void procedures(void) {
    palpate_scene *scene;
    palpate_geometry *made;
    palpate_geometry_id organ, sphere;
    palpate_points points = corners(), row = corners();
    palpate_cells cells = faces();
    palpate_shaft_tracker *tracker;
    palpate_blade_options options = palpate_blade_options_default();
    palpate_blade *blade = NULL;
    palpate_division division;
    palpate_sliding sliding = palpate_sliding_default();
    palpate_pbd_state state = palpate_pbd_state_default();
    palpate_pose pose = {{1, 0, 0}, {1, 0, 0, 0}};
    const uint32_t *removed;
    size_t count;
    uint32_t through;
    OK(palpate_scene_new(NULL, &scene));
    OK(palpate_geometry_mesh(PALPATE_SURFACE_MESH, &points, &cells, NULL, &made));
    OK(palpate_scene_add(scene, "organ", made, NULL, &organ));
    OK(palpate_scene_add(scene, "ball", ball(0), NULL, &sphere));
    WANTS(palpate_shaft_tracker_new(-1, 0, &tracker), PALPATE_INVALID_ARGUMENT, "touch is -1");
    WANTS(palpate_shaft_tracker_allow(tracker), PALPATE_NULL, "tracker");
    OK(palpate_shaft_tracker_new(0.1, 0, &tracker));
    row.count = 1;
    WANTS(palpate_shaft_tracker_update(tracker, scene, organ, &row, 1), PALPATE_OUT_OF_RANGE, "has 1 point");
    row.count = 2;
    WANTS(palpate_shaft_tracker_update(tracker, scene, sphere, &row, 1), PALPATE_UNSUPPORTED, "of kind sphere");
    WANTS(palpate_shaft_tracker_is_let_through(tracker, 0, 0, 0.5, 1, &through), PALPATE_OUT_OF_RANGE, "no segment 0");
    OK(palpate_shaft_tracker_update(tracker, scene, organ, &row, 1));
    OK(palpate_shaft_tracker_is_let_through(tracker, 0, 0, 0.5, 1, &through));
    options.snap = 0.7;
    WANTS(palpate_blade_new(&options, &blade), PALPATE_INVALID_ARGUMENT, "snap is 0.7");
    OK(palpate_blade_new(NULL, &blade));
    points.count = 3;
    WANTS(palpate_blade_cut(blade, scene, organ, &row, &points, &division), PALPATE_OUT_OF_RANGE, "2 points before and 3 now");
    WANTS(palpate_blade_cut(blade, scene, organ, NULL, &row, &division), PALPATE_NULL, "before is null");
    WANTS(palpate_scene_cauterize(scene, organ, ORIGIN, -1, &removed, &count), PALPATE_INVALID_ARGUMENT, "radius is -1");
    OK(palpate_scene_set_pose(scene, organ, &pose));
    WANTS(palpate_shaft_tracker_update(tracker, scene, organ, &row, 1), PALPATE_UNSUPPORTED, "in the world frame");
    sliding.weights[0] = 1;
    WANTS(palpate_sliding_project(&sliding, 1, &state, 0.01, 1), PALPATE_OUT_OF_RANGE, "sliding 0 names particle 0");
    WANTS(palpate_sliding_project(&sliding, 1, &state, 0, 1), PALPATE_INVALID_ARGUMENT, "the step is 0");
    OK(palpate_blade_free(blade));
    OK(palpate_shaft_tracker_free(tracker));
    OK(palpate_scene_free(scene));
}

static size_t logged;

static void logger(void *user, palpate_status status, const char *text) {
    (void)user;
    logged += status == PALPATE_NULL && strstr(text, "scene") != NULL;
}

int main(void) {
    TRUE(!*palpate_last_error());
    shapes();
    meshes();
    versions();
    ids();
    vertices();
    callbacks();
    procedures();
    OK(palpate_set_logger(logger, NULL, NULL));
    WANTS(palpate_scene_step(NULL, NULL), PALPATE_NULL, "scene");
    OK(palpate_set_logger(NULL, NULL, NULL));
    WANTS(palpate_scene_step(NULL, NULL), PALPATE_NULL, "scene");
    TRUE(logged == 1);
    return wrong != 0;
}
