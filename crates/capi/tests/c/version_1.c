/* A program of ABI version 1: what it needs of the header of that version stands here and does not change. It runs with every
 * library of the version, whatever has been added since. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct palpate_scene palpate_scene;
typedef struct palpate_geometry palpate_geometry;

typedef struct {
    uint32_t kind, vertex_count, vertices[4], cell, child;
    double weights[4], point[3];
} feature_1;

typedef struct {
    feature_1 a, b;
    double direction[3], depth, depth_upper, time_of_impact;
    uint64_t id;
} contact_1;

typedef struct {
    uint32_t struct_size, detection;
    double margin;
    const char *detector;
    const void *settings;
    const char *settings_json;
} pair_options_1;

typedef struct {
    uint32_t struct_size, closed, sidedness, reserved;
    double radius;
} mesh_options_1;

typedef struct {
    const void *data;
    size_t count, stride;
    uint32_t scalar, mirror;
    double unit;
} points_1;

extern int32_t palpate_check_abi(uint32_t abi_version, uint32_t contact_size, uint32_t pointer_size);
extern const char *palpate_last_error(void);
extern int32_t palpate_scene_new(const void *options, palpate_scene **scene);
extern int32_t palpate_scene_free(palpate_scene *scene);
extern int32_t palpate_geometry_plane(const double *position, const double *normal, uint32_t two_sided,
                                      palpate_geometry **geometry);
extern int32_t palpate_geometry_mesh(uint32_t kind, const points_1 *vertices, const void *cells,
                                     const mesh_options_1 *options, palpate_geometry **geometry);
extern int32_t palpate_scene_add(palpate_scene *scene, const char *name, palpate_geometry *geometry,
                                 const void *options, uint64_t *id);
extern int32_t palpate_scene_add_pair(palpate_scene *scene, uint64_t a, uint64_t b, const pair_options_1 *options,
                                      uint64_t *pair);
extern int32_t palpate_scene_step(palpate_scene *scene, void *report);
extern int32_t palpate_scene_contacts(palpate_scene *scene, uint64_t pair, const contact_1 **contacts, size_t *count);

int main(void) {
    const double origin[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    const float vertices[2][3] = {{0, 0.5f, 0}, {3, 1.25f, 0}};
    points_1 points = {vertices, 2, 0, 1, 0, 0};
    mesh_options_1 mesh = {sizeof(mesh_options_1), 0, 0, 0, 1.0};
    pair_options_1 options = {sizeof(pair_options_1), 0, 0.5, NULL, NULL, "{\"sides\": \"one\"}"};
    palpate_scene *scene = NULL;
    palpate_geometry *cloud = NULL, *floor = NULL;
    uint64_t ids[2], pair;
    const contact_1 *contacts = NULL;
    size_t count = 0;
    int failed = palpate_check_abi(1, sizeof(contact_1), sizeof(void *)) || palpate_scene_new(NULL, &scene) ||
                 palpate_geometry_mesh(0, &points, NULL, &mesh, &cloud) ||
                 palpate_geometry_plane(origin, up, 0, &floor) ||
                 palpate_scene_add(scene, "cloud", cloud, NULL, &ids[0]) ||
                 palpate_scene_add(scene, "floor", floor, NULL, &ids[1]) ||
                 palpate_scene_add_pair(scene, ids[0], ids[1], &options, &pair) || palpate_scene_step(scene, NULL) ||
                 palpate_scene_contacts(scene, pair, &contacts, &count);
    if (failed) {
        fprintf(stderr, "%s\n", palpate_last_error());
        return 1;
    }
    failed = count != 2 || contacts[0].depth != 0.5 || contacts[1].depth != -0.25 || contacts[1].a.vertices[0] != 1 ||
             contacts[0].direction[1] != 1;
    return palpate_scene_free(scene) || failed;
}
