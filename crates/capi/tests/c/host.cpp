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
} // namespace

int main(int argc, char **) {
    try {
        throwing_functions();
        support_functions();
        host_threads();
        two_scenes(argc == 1);
        what_hosts_add();
    } catch (const palpate::Error &error) {
        std::fprintf(stderr, "%s: %s\n", palpate_status_name(error.status()), error.what());
        return 1;
    }
    return wrong != 0;
}
