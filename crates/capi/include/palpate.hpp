/* palpate for C++17: objects that free themselves, spans, and errors as exceptions.
 *
 * Header only, over palpate.h, whose rules and units hold here; no other dependency. With PALPATE_NO_EXCEPTIONS defined,
 * functions return palpate::Result in place of throwing palpate::Error; the header then builds with -fno-exceptions
 * -fno-rtti. Contacts are spans over the library's memory, valid until the scene is stepped or changed. */
#ifndef PALPATE_HPP
#define PALPATE_HPP

#include "palpate.h"

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#ifndef PALPATE_NO_EXCEPTIONS
#include <stdexcept>
#endif

namespace palpate {

using Contact = palpate_contact;
using Feature = palpate_feature;
using PairContacts = palpate_pair_contacts;
using Event = palpate_event;
using StepReport = palpate_step_report;
using Status = palpate_status;

/* A view of values that are somewhere else: std::span of C++20, as far as it is needed. */
template <class T> class Span {
public:
    constexpr Span() = default;
    constexpr Span(T *data, size_t size) : data_(data), size_(size) {}
    template <size_t N> constexpr Span(T (&values)[N]) : data_(values), size_(N) {}
    /* Any container with data() and size(): std::vector, std::array, std::span. */
    template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C &>().data()), T *>>>
    constexpr Span(C &values) : data_(values.data()), size_(values.size()) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<const C &>().data()), T *>>>
    constexpr Span(const C &values) : data_(values.data()), size_(values.size()) {}
    constexpr T *data() const { return data_; }
    constexpr size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T *begin() const { return data_; }
    constexpr T *end() const { return data_ + size_; }
    constexpr T &operator[](size_t place) const { return data_[place]; }

private:
    T *data_ = nullptr;
    size_t size_ = 0;
};

/* A point, a vector. */
struct Vec3 {
    double x = 0, y = 0, z = 0;
    const double *data() const { return &x; }
};

/* A rigid transform from local to world; the rotation is a unit quaternion w, x, y, z. */
struct Pose : palpate_pose {
    Pose(Vec3 position = {}, double w = 1, double x = 0, double y = 0, double z = 0)
        : palpate_pose{{position.x, position.y, position.z}, {w, x, y, z}} {}
};

/* The ids of geometries and pairs. */
struct GeometryId {
    palpate_geometry_id value = 0;
    bool operator==(GeometryId other) const { return value == other.value; }
};
struct PairId {
    palpate_pair_id value = 0;
    bool operator==(PairId other) const { return value == other.value; }
};

#ifdef PALPATE_NO_EXCEPTIONS
/* What a call returns: a value if `status` is PALPATE_OK, else what went wrong (palpate_last_error has the text). */
template <class T> struct Result {
    Status status;
    T value;
    explicit operator bool() const { return status == PALPATE_OK; }
    T &operator*() { return value; }
    T *operator->() { return &value; }
};
template <> struct Result<void> {
    Status status;
    explicit operator bool() const { return status == PALPATE_OK; }
};
template <class T> using Returned = Result<T>;
#else
/* A call that failed; what() is the text of the library. */
class Error : public std::runtime_error {
public:
    explicit Error(Status status) : std::runtime_error(palpate_last_error()), status_(status) {}
    Status status() const { return status_; }

private:
    Status status_;
};
template <class T> using Returned = T;
#endif

namespace detail {
#ifdef PALPATE_NO_EXCEPTIONS
template <class T> Returned<T> give(Status status, T value) { return {status, std::move(value)}; }
inline Returned<void> done(Status status) { return {status}; }
#else
inline void done(Status status) {
    if (status != PALPATE_OK) throw Error(status);
}
template <class T> Returned<T> give(Status status, T value) {
    done(status);
    return value;
}
#endif

template <class T, auto Free> struct Deleter {
    void operator()(T *object) const { (void)Free(object); }
};
template <class T, auto Free> using Owner = std::unique_ptr<T, Deleter<T, Free>>;

/* Calls what a callback of the host's does; an exception is an error of the callback. */
template <class F> int32_t guarded(F &&work) {
#ifdef PALPATE_NO_EXCEPTIONS
    work();
    return 0;
#else
    try {
        work();
        return 0;
    } catch (...) {
        return 1;
    }
#endif
}
template <class F> void destroy(void *user) { delete static_cast<F *>(user); }

/* A text of a size that only the library knows. */
template <class F> Returned<std::string> text(F &&call) {
    size_t length = 0;
    std::string found(64, '\0');
    Status status = call(&found[0], found.size(), &length);
    if (status == PALPATE_BUFFER_TOO_SMALL) {
        found.resize(length + 1);
        status = call(&found[0], found.size(), &length);
    }
    found.resize(status == PALPATE_OK ? length : 0);
    return give(status, std::move(found));
}
} // namespace detail

/* Vertices: three numbers each, double or float. Set stride, unit and mirror of the struct for others. */
inline palpate_points points(Span<const double> values) {
    return {values.data(), values.size() / 3, 0, PALPATE_F64, PALPATE_MIRROR_NONE, 1.0};
}
inline palpate_points points(Span<const float> values) {
    return {values.data(), values.size() / 3, 0, PALPATE_F32, PALPATE_MIRROR_NONE, 1.0};
}
/* Cells of 2, 3 or 4 vertices each. */
inline palpate_cells cells(Span<const uint32_t> ids, size_t vertices) {
    return {ids.data(), ids.size() / vertices, 0, PALPATE_U32, 0};
}
inline palpate_cells cells(Span<const uint16_t> ids, size_t vertices) {
    return {ids.data(), ids.size() / vertices, 0, PALPATE_U16, 0};
}
inline palpate_cells cells(Span<const int32_t> ids, size_t vertices) {
    return {ids.data(), ids.size() / vertices, 0, PALPATE_I32, 0};
}

/* A function of space that is negative inside a body. */
class Function {
public:
    static Returned<Function> json(const char *text) {
        palpate_function *made = nullptr;
        Status status = palpate_function_json(text, &made);
        return take(status, made);
    }
    /* Of `sample(const double point[3], double &value, double gradient[3])`, which may throw; `callbacks` has the box and the
     * Lipschitz constant, from palpate_function_callbacks_default. */
    template <class F> static Returned<Function> of(F sample, palpate_function_callbacks callbacks) {
        callbacks.user = new F(std::move(sample));
        callbacks.destroy = &detail::destroy<F>;
        callbacks.sample = [](void *user, const double *point, double *value, double *gradient) {
            return detail::guarded([&] { (*static_cast<F *>(user))(point, *value, gradient); });
        };
        palpate_function *made = nullptr;
        Status status = palpate_function_callback(&callbacks, &made);
        return take(status, made);
    }
    static Returned<Function> combine(uint32_t operation, std::initializer_list<const palpate_function *> parts,
                                      double parameter = 0) {
        palpate_function *made = nullptr;
        Status status = palpate_function_combine(operation, parts.begin(), parts.size(), parameter, &made);
        return take(status, made);
    }
    const palpate_function *get() const { return owner_.get(); }

private:
    explicit Function(palpate_function *made) : owner_(made) {}
    static Returned<Function> take(Status status, palpate_function *made) {
        return detail::give(status, Function(made));
    }
    detail::Owner<palpate_function, palpate_function_free> owner_;
};

/* A geometry that is in no scene yet. */
class Geometry {
public:
    static Returned<Geometry> sphere(Vec3 center, double radius) {
        return make(palpate_geometry_sphere, center.data(), radius);
    }
    static Returned<Geometry> capsule(const Pose &pose, double radius, double length) {
        return make(palpate_geometry_capsule, &pose, radius, length);
    }
    static Returned<Geometry> cylinder(const Pose &pose, double radius, double length) {
        return make(palpate_geometry_cylinder, &pose, radius, length);
    }
    static Returned<Geometry> cone(const Pose &pose, double radius, double length) {
        return make(palpate_geometry_cone, &pose, radius, length);
    }
    static Returned<Geometry> box(const Pose &pose, Vec3 half_extents) {
        return make(palpate_geometry_box, &pose, half_extents.data());
    }
    static Returned<Geometry> ellipsoid(const Pose &pose, Vec3 radii) {
        return make(palpate_geometry_ellipsoid, &pose, radii.data());
    }
    static Returned<Geometry> plane(Vec3 position, Vec3 normal, bool two_sided = false) {
        return make(palpate_geometry_plane, position.data(), normal.data(), two_sided ? 1u : 0u);
    }
    static Returned<Geometry> convex(const Pose &pose, const palpate_points &vertices, double radius = 0) {
        return make(palpate_geometry_convex, &pose, &vertices, radius);
    }
    static Returned<Geometry> point_set(const palpate_points &vertices, double radius = 0) {
        palpate_mesh_options options = palpate_mesh_options_default();
        options.radius = radius;
        return make(palpate_geometry_mesh, PALPATE_POINT_SET, &vertices, nullptr, &options);
    }
    /* Of PALPATE_LINE_MESH, PALPATE_SURFACE_MESH or PALPATE_TETRA_MESH. */
    static Returned<Geometry> mesh(uint32_t kind, const palpate_points &vertices, const palpate_cells &cells,
                                   const palpate_mesh_options &options = palpate_mesh_options_default()) {
        return make(palpate_geometry_mesh, kind, &vertices, &cells, &options);
    }
    static Returned<Geometry> implicit(const Pose &pose, const Function &function, double scale = 1) {
        return make(palpate_geometry_implicit, &pose, scale, function.get());
    }
    static Returned<Geometry> json(const char *text, const char *folder = nullptr) {
        return make(palpate_geometry_json, text, folder);
    }
    /* Of `support(const double direction[3], double point[3])`, in the local frame; it may throw. */
    template <class F> static Returned<Geometry> support(const Pose &pose, F support) {
        palpate_support_callbacks callbacks = palpate_support_callbacks_default();
        callbacks.user = new F(std::move(support));
        callbacks.destroy = &detail::destroy<F>;
        callbacks.support = [](void *user, const double *direction, double *point) {
            return detail::guarded([&] { (*static_cast<F *>(user))(direction, point); });
        };
        return make(palpate_geometry_support, &pose, &callbacks);
    }
    /* Takes the children over. */
    template <class... Children> static Returned<Geometry> compound(Children... children) {
        palpate_geometry *owned[] = {children.release()...};
        return make(palpate_geometry_compound, owned, sizeof...(children));
    }
    /* Gives the geometry away, to a function of palpate.h that takes it over. */
    palpate_geometry *release() { return owner_.release(); }

private:
    explicit Geometry(palpate_geometry *made) : owner_(made) {}
    template <class F, class... Arguments> static Returned<Geometry> make(F call, Arguments... arguments) {
        palpate_geometry *made = nullptr;
        Status status = call(arguments..., &made);
        return detail::give(status, Geometry(made));
    }
    detail::Owner<palpate_geometry, palpate_geometry_free> owner_;
};

/* Geometries, pairs of them, and the contacts of the last step. get() is for all functions of palpate.h. */
class Scene {
public:
    static Returned<Scene> create(const palpate_scene_options &options = palpate_scene_options_default()) {
        palpate_scene *made = nullptr;
        Status status = palpate_scene_new(&options, &made);
        return detail::give(status, Scene(made));
    }
#ifndef PALPATE_NO_EXCEPTIONS
    Scene() : Scene(create()) {}
#endif
    palpate_scene *get() const { return owner_.get(); }

    Returned<GeometryId> add(const char *name, Geometry geometry,
                             const palpate_add_options &options = palpate_add_options_default()) {
        GeometryId id;
        Status status = palpate_scene_add(get(), name, geometry.release(), &options, &id.value);
        return detail::give(status, id);
    }
    Returned<void> remove(GeometryId id) { return detail::done(palpate_scene_remove(get(), id.value)); }
    Returned<void> replace(GeometryId id, Geometry geometry) {
        return detail::done(palpate_scene_replace(get(), id.value, geometry.release()));
    }
    Returned<GeometryId> find(const char *name) {
        GeometryId id;
        Status status = palpate_scene_find(get(), name, &id.value);
        return detail::give(status, id);
    }
    Returned<std::string> name(GeometryId id) {
        return detail::text([&](char *to, size_t capacity, size_t *length) {
            return palpate_scene_name(get(), id.value, to, capacity, length);
        });
    }
    Returned<std::string> json(GeometryId id) {
        return detail::text([&](char *to, size_t capacity, size_t *length) {
            return palpate_scene_geometry_json(get(), id.value, to, capacity, length);
        });
    }
    Returned<void> set_pose(GeometryId id, const Pose &pose) {
        return detail::done(palpate_scene_set_pose(get(), id.value, &pose));
    }
    Returned<void> set_asleep(GeometryId id, bool is_asleep) {
        return detail::done(palpate_scene_set_asleep(get(), id.value, is_asleep ? 1 : 0));
    }
    Returned<Pose> pose(GeometryId id) {
        Pose found;
        Status status = palpate_scene_pose(get(), id.value, &found);
        return detail::give(status, found);
    }
    Returned<void> set_vertices(GeometryId id, const palpate_points &vertices) {
        return detail::done(palpate_scene_set_vertices(get(), id.value, &vertices));
    }
    /* The vertices to be changed, three numbers each, until unmap takes them over. */
    Returned<Span<double>> map(GeometryId id) {
        double *vertices = nullptr;
        size_t count = 0;
        Status status = palpate_scene_map_vertices(get(), id.value, &vertices, &count);
        return detail::give(status, Span<double>(vertices, 3 * count));
    }
    Returned<void> unmap(GeometryId id) { return detail::done(palpate_scene_unmap_vertices(get(), id.value)); }

    Returned<PairId> add_pair(GeometryId a, GeometryId b,
                              const palpate_pair_options &options = palpate_pair_options_default()) {
        PairId pair;
        Status status = palpate_scene_add_pair(get(), a.value, b.value, &options, &pair.value);
        return detail::give(status, pair);
    }
    Returned<PairId> add_pair(GeometryId a, GeometryId b, double margin) {
        palpate_pair_options options = palpate_pair_options_default();
        options.margin = margin;
        return add_pair(a, b, options);
    }
    /* A pair whose contacts are found by `detector(GeometryId a, GeometryId b, double margin, std::vector<Contact> &out)`, which may
     * throw; see palpate_scene_add_pair_by. `out` is empty; begin a contact with palpate_contact_default(). */
    template <class F>
    Returned<PairId> add_pair_by(GeometryId a, GeometryId b, F detector,
                                 const palpate_pair_options &options = palpate_pair_options_default()) {
        struct Host {
            F detector;
            std::vector<Contact> found;
        };
        auto call = [](void *user, palpate_geometry_id first, palpate_geometry_id second, double margin,
                       const Contact **contacts, size_t *count) {
            Host &host = *static_cast<Host *>(user);
            host.found.clear();
            int32_t code = detail::guarded(
                [&] { host.detector(GeometryId{first}, GeometryId{second}, margin, host.found); });
            *contacts = host.found.data();
            *count = host.found.size();
            return code;
        };
        PairId pair;
        Status status = palpate_scene_add_pair_by(get(), a.value, b.value, &options, call,
                                                  new Host{std::move(detector), {}}, &detail::destroy<Host>, &pair.value);
        return detail::give(status, pair);
    }
    /* All pairs whose groups agree, also of geometries that are added later. */
    Returned<void> add_pairs_by_groups(const palpate_pair_options &options = palpate_pair_options_default()) {
        return detail::done(palpate_scene_add_pairs_between(get(), UINT32_MAX, UINT32_MAX, &options));
    }
    Returned<void> remove_pair(PairId pair) { return detail::done(palpate_scene_remove_pair(get(), pair.value)); }

    Returned<void> advance() { return detail::done(palpate_scene_advance(get())); }
    Returned<void> forget() { return detail::done(palpate_scene_forget(get())); }
    Returned<StepReport> step() {
        StepReport report{};
        Status status = palpate_scene_step(get(), &report);
        return detail::give(status, report);
    }
    Returned<Span<const Contact>> contacts(PairId pair) {
        const Contact *found = nullptr;
        size_t count = 0;
        Status status = palpate_scene_contacts(get(), pair.value, &found, &count);
        return detail::give(status, Span<const Contact>(found, count));
    }
    Returned<Span<const PairContacts>> active_pairs() {
        const PairContacts *found = nullptr;
        size_t count = 0;
        Status status = palpate_scene_active_pairs(get(), &found, &count);
        return detail::give(status, Span<const PairContacts>(found, count));
    }
    Returned<void> set_events(bool is_on) { return detail::done(palpate_scene_set_events(get(), is_on ? 1 : 0)); }
    Returned<Span<const Event>> events() {
        const Event *found = nullptr;
        size_t count = 0;
        Status status = palpate_scene_events(get(), &found, &count);
        return detail::give(status, Span<const Event>(found, count));
    }

private:
    explicit Scene(palpate_scene *made) : owner_(made) {}
    detail::Owner<palpate_scene, palpate_scene_free> owner_;
};

/* The contacts of a pair of a list. */
inline Span<const Contact> contacts(const PairContacts &pair) { return {pair.contacts, pair.count}; }

/* Owners of the other objects, for the functions of palpate.h. */
using PbdRows = detail::Owner<palpate_pbd, palpate_pbd_free>;
using RigidRows = detail::Owner<palpate_rigid, palpate_rigid_free>;
using Guard = detail::Owner<palpate_guard, palpate_guard_free>;
using Mapping = detail::Owner<palpate_mapping, palpate_mapping_free>;
using Recorder = detail::Owner<palpate_recorder, palpate_recorder_free>;
using Ring = detail::Owner<palpate_ring, palpate_ring_free>;
using Replay = detail::Owner<palpate_replay, palpate_replay_free>;
using Reader = detail::Owner<palpate_reader, palpate_reader_free>;
using Proxy = detail::Owner<palpate_proxy, palpate_proxy_free>;
using ShaftTracker = detail::Owner<palpate_shaft_tracker, palpate_shaft_tracker_free>;
using Blade = detail::Owner<palpate_blade, palpate_blade_free>;
using GraspTracker = detail::Owner<palpate_grasp_tracker, palpate_grasp_tracker_free>;
using Lumen = detail::Owner<palpate_lumen, palpate_lumen_free>;
using Text = detail::Owner<palpate_text, palpate_text_free>;
using Saved = detail::Owner<palpate_saved, palpate_saved_free>;

} // namespace palpate

#endif
