/* Callbacks of a C++ host: exceptions become statuses, threads of the host run the loops, support functions are shapes. */
#include <palpate.hpp>

#include <cmath>
#include <cstdio>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {
int wrong = 0;

void want(bool condition, int line) {
    if (!condition) {
        std::fprintf(stderr, "line %d: %s\n", line, palpate_last_error());
        wrong++;
    }
}
#define WANT(condition) want(condition, __LINE__)

template <class F> palpate_status status_of(F &&work) {
    try {
        work();
        return PALPATE_OK;
    } catch (const palpate::Error &error) {
        return error.status();
    }
}

void throwing_functions() {
    bool throws = false;
    palpate_function_callbacks callbacks = palpate_function_callbacks_default();
    for (int k = 0; k < 3; k++) {
        callbacks.box_min[k] = -1;
        callbacks.box_max[k] = 1;
    }
    auto ball = [&throws](const double *point, double &value, double *gradient) {
        if (throws) throw std::runtime_error("as wanted");
        double length = std::sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
        value = length - 1;
        for (int k = 0; k < 3; k++) gradient[k] = length > 0 ? point[k] / length : 0;
        if (length == 0) gradient[1] = 1;
    };
    palpate::Scene scene;
    palpate::Function function = palpate::Function::of(ball, callbacks);
    palpate::GeometryId body = scene.add("body", palpate::Geometry::implicit({}, function));
    palpate::GeometryId tool = scene.add("tool", palpate::Geometry::sphere({0, 1.5, 0}, 1));
    palpate::PairId pair = scene.add_pair(tool, body);
    scene.step();
    WANT(scene.contacts(pair).size() == 1);
    throws = true;
    /* A pair that nothing changed for asks nobody. */
    scene.step();
    scene.set_pose(tool, palpate::Pose({0, 1.25, 0}));
    WANT(status_of([&] { scene.step(); }) == PALPATE_CALLBACK_FAILED);
    throws = false;
    scene.step();
    WANT(scene.contacts(pair).size() == 1);
}

void support_functions() {
    /* A cube of half extent 1 as the host's own shape, and as palpate's box. */
    auto cube = [](const double *direction, double *point) {
        for (int k = 0; k < 3; k++) point[k] = direction[k] < 0 ? -1 : 1;
    };
    palpate::Scene scene;
    palpate::GeometryId own = scene.add("own", palpate::Geometry::support({}, cube));
    palpate::GeometryId box = scene.add("box", palpate::Geometry::box({}, {1, 1, 1}));
    palpate::GeometryId ball = scene.add("ball", palpate::Geometry::sphere({0, 1.5, 0}, 1));
    palpate::PairId pairs[] = {scene.add_pair(ball, own), scene.add_pair(ball, box)};
    scene.step();
    WANT(scene.contacts(pairs[0]).size() == 1 && scene.contacts(pairs[1]).size() == 1);
    WANT(std::abs(scene.contacts(pairs[0])[0].depth - scene.contacts(pairs[1])[0].depth) < 1e-9);
    scene.set_pose(own, palpate::Pose({0, 9, 0}));
    scene.step();
    WANT(scene.contacts(pairs[0]).empty());
}

/* The vertices of a wavy sheet of n x n. */
std::vector<double> sheet(unsigned n, double phase) {
    std::vector<double> points;
    for (unsigned j = 0; j < n; j++)
        for (unsigned i = 0; i < n; i++) {
            double x = double(i) / n, z = double(j) / n;
            points.insert(points.end(), {x, 0.02 * std::sin(20 * x + phase) * std::cos(17 * z), z});
        }
    return points;
}

std::vector<uint32_t> triangles(unsigned n) {
    std::vector<uint32_t> ids;
    for (unsigned j = 0; j + 1 < n; j++)
        for (unsigned i = 0; i + 1 < n; i++) {
            unsigned at = j * n + i;
            ids.insert(ids.end(), {at, at + n, at + 1, at + 1, at + n, at + n + 1});
        }
    return ids;
}

int32_t parallel_for(void *user, size_t count, palpate_task_function task, void *context) {
    ++*static_cast<int *>(user);
    std::vector<std::thread> threads;
    for (size_t k = 0; k < 3; k++)
        threads.emplace_back([=] {
            for (size_t index = k; index < count; index += 3) task(context, index);
        });
    for (std::thread &thread : threads) thread.join();
    return 0;
}

/* Two sheets that cross: the contacts on the host's threads are those on one. */
std::vector<palpate::Contact> crossing(const palpate_scene_options &options) {
    const unsigned n = 60;
    std::vector<uint32_t> cells = triangles(n);
    std::vector<double> low = sheet(n, 0), high = sheet(n, 1.5);
    palpate::Scene scene = palpate::Scene::create(options);
    palpate::GeometryId a = scene.add(
        "low", palpate::Geometry::mesh(PALPATE_SURFACE_MESH, palpate::points(low), palpate::cells(cells, 3)));
    palpate::GeometryId b = scene.add(
        "high", palpate::Geometry::mesh(PALPATE_SURFACE_MESH, palpate::points(high), palpate::cells(cells, 3)));
    palpate::PairId pair = scene.add_pair(a, b);
    scene.step();
    palpate::Span<const palpate::Contact> found = scene.contacts(pair);
    return std::vector<palpate::Contact>(found.begin(), found.end());
}

void host_threads() {
    int calls = 0;
    palpate_scene_options options = palpate_scene_options_default();
    std::vector<palpate::Contact> alone = crossing(options);
    options.threads = 3;
    options.parallel_for = parallel_for;
    options.user = &calls;
    std::vector<palpate::Contact> together = crossing(options);
    WANT(alone.size() > 100 && calls > 0);
    WANT(alone.size() == together.size() &&
         std::memcmp(alone.data(), together.data(), alone.size() * sizeof alone[0]) == 0);
    options.threads = 1;
    WANT(status_of([&] { palpate::Scene::create(options); }) == PALPATE_INVALID_ARGUMENT);
}

/* Two scenes on two threads, and a reader of the first on a third, unless a sanitizer watches: it does not see how the
 * library hands its contacts over. */
void two_scenes(bool reads) {
    palpate::Scene first;
    palpate::GeometryId ball = first.add("ball", palpate::Geometry::sphere({0, 0.5, 0}, 1));
    palpate::GeometryId floor = first.add("floor", palpate::Geometry::plane({}, {0, 1, 0}));
    first.add_pair(ball, floor);
    palpate_reader *made = nullptr;
    palpate_reader_new(first.get(), &made);
    palpate::Reader reader(made);
    std::vector<palpate::Contact> other;
    std::promise<void> first_step;
    std::thread stepping([&] {
        for (int k = 0; k < 200; k++) {
            first.step();
            if (k == 0) first_step.set_value();
        }
    });
    std::thread crossing_too([&] { other = crossing(palpate_scene_options_default()); });
    size_t seen = 0;
    first_step.get_future().wait();
    for (int k = 0; k < 200; k++) {
        const palpate::Contact *contacts = nullptr;
        size_t count = 0;
        WANT(palpate_reader_contacts(reader.get(), &contacts, &count, nullptr) == PALPATE_OK);
        for (size_t at = 0; reads && at < count; at++) seen += contacts[at].depth == 0.5;
    }
    stepping.join();
    crossing_too.join();
    WANT((seen > 0 || !reads) && other.size() > 100);
}

/* Four threads step one scene: a call at a time is served, the others are refused. */
void one_scene_at_a_time() {
    palpate::Scene scene;
    palpate::GeometryId ball = scene.add("ball", palpate::Geometry::sphere({0, 0.5, 0}, 1));
    scene.add_pair(ball, scene.add("floor", palpate::Geometry::plane({}, {0, 1, 0})));
    int served[4] = {}, odd[4] = {};
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; k++)
        threads.emplace_back([&, k] {
            for (int round = 0; round < 500; round++) {
                palpate_status status = palpate_scene_step(scene.get(), nullptr);
                served[k] += status == PALPATE_OK;
                odd[k] += status != PALPATE_OK && status != PALPATE_BUSY;
            }
        });
    for (std::thread &thread : threads) thread.join();
    int all = 0;
    for (int k = 0; k < 4; k++) {
        all += served[k];
        WANT(odd[k] == 0);
    }
    WANT(all >= 500);
    scene.step();
}

/* Threads that cross within a step, by their previous vertices and by advance. */
void continuous_detection() {
    const std::vector<double> still = {-0.001, 0, 0, 0.001, 0, 0};
    const std::vector<double> before = {0, -0.001, -0.001, 0, -0.001, 0.001};
    const std::vector<double> after = {0, 0.001, -0.001, 0, 0.001, 0.001};
    const std::vector<uint32_t> cells = {0, 1};
    for (bool advances : {false, true}) {
        palpate::Scene scene;
        auto thread = [&](const char *name, const std::vector<double> &at) {
            return scene.add(name, palpate::Geometry::mesh(PALPATE_LINE_MESH, palpate::points(at), palpate::cells(cells, 2)));
        };
        palpate::GeometryId a = thread("a", still), b = thread("b", advances ? before : after);
        palpate_pair_options options = palpate_pair_options_default();
        options.detection = PALPATE_DETECTION_CONTINUOUS;
        palpate::PairId pair = scene.add_pair(a, b, options);
        if (advances) {
            scene.advance();
            scene.set_vertices(b, palpate::points(after));
        } else {
            palpate_points previous = palpate::points(before);
            WANT(palpate_scene_set_previous_vertices(scene.get(), b.value, &previous) == PALPATE_OK);
        }
        scene.step();
        WANT(scene.contacts(pair).size() == 1 && scene.contacts(pair)[0].time_of_impact == 0.5);
    }
}

/* The same mesh by other types of numbers, and settings as a struct and as JSON. */
void ways_to_say_the_same() {
    const std::vector<double> corners = {0, 0, 0, 0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
    const std::vector<float> short_corners = {0, 0, 0, 0.5f, 0, 0, 0, 0.5f, 0, 0, 0, 0.5f};
    const std::vector<float> mirrored = {0, 0, 0, 50, 0, 0, 0, -50, 0, 0, 0, 50};
    const std::vector<uint32_t> ids = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const std::vector<uint16_t> short_ids(ids.begin(), ids.end());
    const std::vector<int32_t> turned = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    palpate_points of_unreal = palpate::points(mirrored);
    of_unreal.unit = 0.01;
    of_unreal.mirror = PALPATE_MIRROR_Y;
    palpate_cells reversed = palpate::cells(turned, 3);
    reversed.is_reversed = 1;
    palpate::Geometry meshes[] = {
        palpate::Geometry::mesh(PALPATE_SURFACE_MESH, palpate::points(corners), palpate::cells(ids, 3)),
        palpate::Geometry::mesh(PALPATE_SURFACE_MESH, palpate::points(short_corners), palpate::cells(short_ids, 3)),
        palpate::Geometry::mesh(PALPATE_SURFACE_MESH, of_unreal, reversed)};
    palpate_settings settings = palpate_settings_default();
    settings.internal_edges = PALPATE_INTERNAL_EDGES_KEEP;
    settings.manifold = 0;
    std::vector<palpate::Contact> found[3];
    for (int k = 0; k < 3; k++) {
        palpate::Scene scene;
        palpate::GeometryId mesh = scene.add("mesh", std::move(meshes[k]));
        palpate::GeometryId tool = scene.add("tool", palpate::Geometry::capsule(palpate::Pose({0.15, 0.15, 0.15}), 0.02, 0.1));
        palpate_pair_options options = palpate_pair_options_default();
        if (k == 1) options.settings_json = "{\"internal_edges\": \"keep\", \"manifold\": false}";
        if (k != 1) options.settings = &settings;
        palpate::PairId pair = scene.add_pair(tool, mesh, options);
        scene.step();
        found[k].assign(scene.contacts(pair).begin(), scene.contacts(pair).end());
        char text[200];
        size_t length = 0;
        WANT(palpate_scene_settings_json(scene.get(), pair.value, text, sizeof text, &length) == PALPATE_OK);
        WANT(std::string(text) == "{\"internal_edges\":\"keep\",\"manifold\":false,\"sides\":\"as_given\"}");
        WANT(palpate_scene_kind(scene.get(), mesh.value, text, sizeof text, &length) == PALPATE_OK);
        WANT(std::string(text) == "surface_mesh" && scene.name(mesh) == "mesh" && scene.find("mesh") == mesh);
    }
    for (int k = 1; k < 3; k++)
        WANT(!found[0].empty() && found[k].size() == found[0].size() &&
             std::memcmp(found[k].data(), found[0].data(), found[0].size() * sizeof found[0][0]) == 0);
}

/* Children that move, come and go; pairs by groups. */
void compounds_and_groups() {
    palpate::Scene scene;
    palpate::GeometryId tool =
        scene.add("tool", palpate::Geometry::compound(palpate::Geometry::sphere({0, 9, 0}, 1), palpate::Geometry::box({}, {1, 1, 1})));
    palpate_add_options options = palpate_add_options_default();
    options.membership = 2;
    options.mask = 1;
    palpate::GeometryId ghost = scene.add("ghost", palpate::Geometry::sphere({0, 1.5, 0}, 1), options);
    scene.add("floor", palpate::Geometry::plane({0, -0.5, 0}, {0, 1, 0}));
    scene.add_pairs_by_groups();
    scene.step();
    auto contacts = [&] {
        size_t count = 0;
        for (const palpate::PairContacts &pair : scene.active_pairs()) count += palpate::contacts(pair).size();
        return count;
    };
    size_t before = contacts();
    WANT(before >= 5); // four corners of the box in the floor, and the ghost on the box
    palpate::Pose lifted({0, 0.5, 0});
    WANT(palpate_scene_set_child_pose(scene.get(), tool.value, 0, &lifted) == PALPATE_OK);
    scene.step();
    WANT(contacts() > before);
    WANT(palpate_scene_remove_child(scene.get(), tool.value, 0) == PALPATE_OK);
    WANT(palpate_scene_remove_child(scene.get(), tool.value, 0) == PALPATE_NOT_FOUND);
    scene.step();
    WANT(contacts() == before);
    uint32_t child = 0;
    palpate::Geometry more = palpate::Geometry::sphere({0, 0.5, 0}, 1);
    WANT(palpate_scene_add_child(scene.get(), tool.value, more.release(), &child) == PALPATE_OK && child == 2);
    scene.step();
    WANT(contacts() > before);
    scene.remove(ghost);
    WANT(palpate_scene_remove_pairs_by_groups(scene.get()) == PALPATE_OK);
    scene.step();
    WANT(scene.active_pairs().empty());
}

/* A filter, lines for a renderer, and a state to go back to. */
void what_hosts_add() {
    palpate::Scene scene;
    palpate::GeometryId ball = scene.add("ball", palpate::Geometry::sphere({0, 0.75, 0}, 1));
    palpate::GeometryId floor = scene.add("floor", palpate::Geometry::plane({}, {0, 1, 0}));
    palpate::PairId pair = scene.add_pair(ball, floor);
    scene.set_events(true);
    scene.step();
    palpate_saved *saved = nullptr;
    WANT(palpate_scene_save(scene.get(), &saved) == PALPATE_OK);
    scene.set_pose(ball, palpate::Pose({0, 5, 0}));
    scene.step();
    WANT(scene.contacts(pair).empty() && scene.events()[0].change == PALPATE_EVENT_ENDED);
    scene.remove(ball);
    WANT(palpate_scene_restore(scene.get(), saved) == PALPATE_OK);
    WANT(scene.contacts(pair).size() == 1 && scene.contacts(pair)[0].depth == 0.25);
    palpate::Scene other;
    WANT(palpate_scene_restore(other.get(), saved) == PALPATE_INVALID_ARGUMENT);
    scene.set_asleep(ball, true);
    scene.step();
    scene.set_pose(ball, palpate::Pose({0, 5, 0}));
    scene.step();
    WANT(scene.contacts(pair).size() == 1 && scene.events()[0].change == PALPATE_EVENT_PERSISTS);
    scene.set_asleep(ball, false);
    scene.step();
    WANT(scene.contacts(pair).empty());
    WANT(palpate_scene_restore(scene.get(), saved) == PALPATE_OK);
    palpate_saved_free(saved);

    const palpate_line *lines = nullptr;
    size_t count = 0;
    WANT(palpate_scene_debug_lines(scene.get(), nullptr, &lines, &count) == PALPATE_OK);
    WANT(count == 3 * 32 + 5 + 2 && lines[0].color[3] == 255);

    struct Held {
        palpate_geometry_id id;
        int calls, code;
    } held = {ball.value, 0, 0};
    auto filter = [](void *user, palpate_geometry_id a, palpate_geometry_id, const palpate_contact *contact) -> int32_t {
        Held *own = static_cast<Held *>(user);
        own->calls += contact->depth == 0.25;
        return own->code ? own->code : a != own->id;
    };
    WANT(palpate_scene_set_filter(scene.get(), filter, &held, nullptr) == PALPATE_OK);
    scene.step();
    WANT(held.calls == 1 && scene.contacts(pair).empty());
    held.code = 9;
    WANT(status_of([&] { scene.step(); }) == PALPATE_CALLBACK_FAILED);
    WANT(palpate_scene_set_filter(scene.get(), nullptr, nullptr, nullptr) == PALPATE_OK);
    scene.step();
    WANT(scene.contacts(pair).size() == 1);
}

/* A host's own detector: a ball on the floor y = 0, beside palpate's; it throws, answers nonsense, and calls back. */
void own_detectors() {
    enum class Mood { sound, throws, nonsense, calls } mood = Mood::sound;
    int asked = 0, destroyed = 0;
    struct Count {
        int *destroyed;
        explicit Count(int *counter) : destroyed(counter) {}
        Count(Count &&other) noexcept : destroyed(std::exchange(other.destroyed, nullptr)) {}
        ~Count() {
            if (destroyed) ++*destroyed;
        }
    };
    {
        palpate::Scene scene;
        double height = 0.75;
        palpate::GeometryId ball = scene.add("ball", palpate::Geometry::sphere({0, height, 0}, 1));
        palpate::GeometryId floor = scene.add("floor", palpate::Geometry::plane({}, {0, 1, 0}));
        auto detector = [&, count = Count(&destroyed)](palpate::GeometryId a, palpate::GeometryId b, double margin,
                                                       std::vector<palpate::Contact> &out) {
            asked += a == ball && b == floor && margin == 0.01;
            if (mood == Mood::throws) throw std::runtime_error("as wanted");
            palpate::Contact contact = palpate_contact_default();
            contact.a.point[1] = height - 1;
            contact.depth = contact.depth_upper = mood == Mood::nonsense ? -1 : 1 - height;
            if (mood == Mood::calls) WANT(palpate_scene_step(scene.get(), nullptr) == PALPATE_BUSY);
            out.push_back(contact);
        };
        palpate_pair_options options = palpate_pair_options_default();
        options.margin = 0.01;
        palpate::PairId known = scene.add_pair(ball, floor, options);
        options.detector = "ball_on_floor";
        palpate::PairId own = scene.add_pair_by(ball, floor, std::move(detector), options);
        auto steps = [&](double to) {
            height = to;
            scene.set_pose(ball, palpate::Pose({0, height, 0}));
            return status_of([&] { scene.step(); });
        };
        auto same = [&] {
            palpate::Span<const palpate::Contact> a = scene.contacts(own), b = scene.contacts(known);
            return a.size() == 1 && b.size() == 1 && a[0].depth == b[0].depth && a[0].a.point[1] == b[0].a.point[1];
        };
        WANT(steps(0.75) == PALPATE_OK && same() && asked == 1);
        mood = Mood::throws;
        WANT(steps(0.5) == PALPATE_CALLBACK_FAILED && same() && scene.contacts(own)[0].depth == 0.25);
        WANT(std::string(palpate_last_error()) == "pair ball:floor: detector ball_on_floor: the host returned 1: wanted 0");
        mood = Mood::nonsense;
        WANT(steps(0.5) == PALPATE_CALLBACK_FAILED && same());
        WANT(std::string(palpate_last_error()).find("detector ball_on_floor: contact 0 has the depth -1") != std::string::npos);
        mood = Mood::calls;
        WANT(steps(0.5) == PALPATE_OK && same() && scene.contacts(own)[0].depth == 0.5);
        char name[32];
        size_t length = 0;
        WANT(palpate_scene_detector(scene.get(), own.value, name, sizeof name, &length) == PALPATE_OK);
        WANT(std::string(name) == "ball_on_floor");
        options.settings_json = "{}";
        WANT(status_of([&] { scene.add_pair_by(ball, floor, [](auto, auto, double, auto &) {}, options); }) ==
             PALPATE_INVALID_ARGUMENT);
        WANT(destroyed == 0);
    }
    WANT(destroyed == 1);
}
} // namespace

int main(int argc, char **) {
    try {
        throwing_functions();
        support_functions();
        host_threads();
        two_scenes(argc == 1);
        if (argc == 1) one_scene_at_a_time(); // what keeps its threads apart is in the library, which is not watched
        continuous_detection();
        ways_to_say_the_same();
        compounds_and_groups();
        what_hosts_add();
        own_detectors();
    } catch (const palpate::Error &error) {
        std::fprintf(stderr, "%s: %s\n", palpate_status_name(error.status()), error.what());
        return 1;
    }
    return wrong != 0;
}
