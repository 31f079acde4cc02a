// encoder.hpp -- write an encoder plugin as one C++ class.
//
// Header-only, C++20, no dependency beyond the standard library and the C header.
//
//     #include <senteval/encoder.hpp>
//
//     class LengthEncoder {
//     public:
//         static constexpr senteval::sdk::Descriptor descriptor{
//             .id = "org.example.length",
//             .name = "Sentence length",
//             .version = "1.0",
//             .description = "Bytes of a sentence; a baseline that knows nothing.",
//             .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT,
//         };
//         static constexpr senteval_param_spec params[] = {
//             senteval::sdk::param("scale", 1.0, "Factor on the number."),
//         };
//
//         explicit LengthEncoder(const senteval::sdk::Setup& setup)
//             : scale_(setup.params.get("scale", 1.0))
//         {
//         }
//
//         std::size_t dimension() const { return 1; }
//
//         void encode(senteval::sdk::Call& call, senteval::sdk::Batch batch, senteval::sdk::Matrix out) const
//         {
//             for (std::size_t i = 0; i < batch.size(); ++i) {
//                 call.check_cancelled();
//                 const auto bytes = static_cast<double>(batch[i].size());
//                 out.row(i)[0] = static_cast<float>(scale_ * bytes);
//             }
//         }
//
//     private:
//         double scale_;
//     };
//
//     SENTEVAL_PLUGIN(LengthEncoder);
//
// What the class must have is spelled out by the concept senteval::sdk::Encoder below.  `prepare` and
// `params` may be left out.  An encoder with a vocabulary may add
//
//         void count_known(senteval::sdk::Batch batch, std::span<std::uint32_t> tokens,
//                          std::span<std::uint32_t> known) const;
//
// (numbers per sentence), from which the host reports the coverage of every task.  One that has other
// vectors for queries than for documents adds
//
//         void encode_as(senteval::sdk::Call& call, senteval::sdk::Role role,
//                        senteval::sdk::Batch batch, senteval::sdk::Matrix out) const;
//
// for texts that have a role in their task; see senteval_roles in encoder.h.  One whose vectors
// depend on what the host cannot see (a program that it starts, a server's model) states it in
//
//         const std::string& identity() const;      // JSON; see senteval_identity in encoder.h
//
// and one whose prepare() changes vectors under some parameters only may say so with
//
//         bool ignores_prepare() const;
//
// as may one that keeps only some of its descriptor's capabilities under them with
//
//         std::uint32_t capabilities() const;
//
// One that a damaged file of the user's may crash asks the host for a process of its own with
//
//         static constexpr bool own_process = true;
//
// One that ranks documents in place of encoding texts, or that judges pairs, says so with one of
//
//         static constexpr bool ranks = true;       // see SENTEVAL_RANKER_EXTENSION in encoder.h
//         static constexpr bool reranks = true;     // see SENTEVAL_RERANKER_EXTENSION
//
// Report failure by throwing: nothing that is thrown leaves the library.
// Throw senteval::sdk::Error to choose the status; any other exception is reported as SENTEVAL_INTERNAL.
#pragma once

#if __cplusplus <= 201703L
#error "encoder.hpp needs C++20 (-std=c++20); C and older C++ can use <senteval/encoder.h>"
#else

#include <senteval/encoder.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace senteval::sdk {

inline constexpr std::string_view to_view(senteval_string s) noexcept
{
    return s.size == 0 ? std::string_view{} : std::string_view{s.data, s.size};
}

inline constexpr senteval_string to_c(std::string_view s) noexcept
{
    return {s.data(), s.size()};
}

// ---- Errors -------------------------------------------------------------------------------------

/// Thrown by plugin code to fail the current call with a status of its choice.
class Error : public std::runtime_error {
public:
    Error(senteval_status status, const std::string& message)
        : std::runtime_error(message), status_(status)
    {
    }

    [[nodiscard]] senteval_status status() const noexcept { return status_; }

private:
    senteval_status status_;
};

/// Thrown by Call::check_cancelled(); let it pass through.
class Cancelled : public Error {
public:
    Cancelled() : Error(SENTEVAL_CANCELLED, "cancelled") {}
};

// ---- Host services ------------------------------------------------------------------------------

/// Services that last as long as the instance.  A cheap handle; copy it freely, use it from any
/// thread.
class Host {
public:
    explicit Host(const senteval_host* host) noexcept : host_(host) {}

    [[nodiscard]] std::string_view name() const noexcept { return host_->name; }

    void log(senteval_log_level level, std::string_view message) const noexcept
    {
        host_->log(host_, level, to_c(message));
    }
    void debug(std::string_view message) const noexcept { log(SENTEVAL_LOG_DEBUG, message); }
    void info(std::string_view message) const noexcept { log(SENTEVAL_LOG_INFO, message); }
    void warn(std::string_view message) const noexcept { log(SENTEVAL_LOG_WARNING, message); }

    /// The table of an optional host service, or nullptr.
    template <typename T>
    const T* extension(const char* id) const noexcept
    {
        return static_cast<const T*>(host_->get_extension(host_, id));
    }

private:
    const senteval_host* host_;
};

/// Services of the call that is running.  Not to be kept, not to be used from other threads.
class Call {
public:
    explicit Call(const senteval_call* call) noexcept : call_(call) {}
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() = default;

    [[nodiscard]] unsigned thread_budget() const noexcept { return call_->thread_budget; }
    void progress(std::uint64_t done, std::uint64_t total) const noexcept
    {
        call_->progress(call_, done, total);
    }
    [[nodiscard]] bool cancelled() const noexcept { return call_->is_cancelled(call_) != 0; }

    void check_cancelled() const
    {
        if (cancelled())
            throw Cancelled{};
    }

private:
    const senteval_call* call_;
};

// ---- Parameters ---------------------------------------------------------------------------------

/// A parameter type the ABI can carry.
template <typename T>
concept ParamType = std::same_as<T, bool> || std::same_as<T, std::int64_t> ||
    std::same_as<T, double> || std::same_as<T, std::string>;

/// The parameters of create().  Borrowed: read them in the constructor, do not keep the object.
class Params {
public:
    Params(const senteval_param* params, std::size_t count) noexcept : params_(params, count) {}

    /// The value of `key`, or nothing when it was not given.  Throws when it has another type.
    template <ParamType T>
    [[nodiscard]] std::optional<T> find(std::string_view key) const
    {
        for (const senteval_param& p : params_)
            if (to_view(p.key) == key)
                return convert<T>(p);
        return std::nullopt;
    }

    /// The value of `key`, or `fallback`.
    template <ParamType T>
    [[nodiscard]] T get(std::string_view key, T fallback) const
    {
        return find<T>(key).value_or(std::move(fallback));
    }
    [[nodiscard]] std::int64_t get(std::string_view key, int fallback) const
    {
        return get<std::int64_t>(key, fallback);
    }
    std::string get(std::string_view key, const char* fallback) const
    {
        return get<std::string>(key, fallback);
    }

    /// The value of `key`, which must have been given.
    template <ParamType T>
    [[nodiscard]] T require(std::string_view key) const
    {
        if (auto value = find<T>(key))
            return *std::move(value);
        throw Error(SENTEVAL_INVALID_ARGUMENT, "parameter '" + std::string(key) + "' is missing");
    }

    /// The value of a string parameter that is one of a few words; the first of them where it was
    /// not given. Throws, naming them all, on any other.
    template <typename T>
    [[nodiscard]] T choice(std::string_view key,
                           std::initializer_list<std::pair<std::string_view, T>> choices) const
    {
        const auto given = find<std::string>(key);
        if (!given)
            return choices.begin()->second;
        std::string names;
        for (const auto& [name, value] : choices) {
            if (name == *given)
                return value;
            names += (names.empty() ? "" : ", ") + std::string(name);
        }
        throw Error(SENTEVAL_INVALID_ARGUMENT, "parameter '" + std::string(key) + "' is '" +
                                                   *given + "'; it must be one of: " + names);
    }

    /// Every value of a list parameter, in order.
    template <ParamType T>
    [[nodiscard]] std::vector<T> all(std::string_view key) const
    {
        std::vector<T> values;
        for (const senteval_param& p : params_)
            if (to_view(p.key) == key)
                values.push_back(convert<T>(p));
        return values;
    }

private:
    template <ParamType T>
    static T convert(const senteval_param& p)
    {
        const senteval_value& v = p.value;
        if constexpr (std::same_as<T, bool>) {
            if (v.type == SENTEVAL_TYPE_BOOLEAN)
                return v.as.boolean != 0;
        } else if constexpr (std::same_as<T, std::int64_t>) {
            if (v.type == SENTEVAL_TYPE_INTEGER)
                return v.as.integer;
        } else if constexpr (std::same_as<T, double>) {
            if (v.type == SENTEVAL_TYPE_REAL)
                return v.as.real;
            if (v.type == SENTEVAL_TYPE_INTEGER)
                return static_cast<double>(v.as.integer);
        } else {
            if (v.type == SENTEVAL_TYPE_STRING || v.type == SENTEVAL_TYPE_PATH)
                return std::string(to_view(v.as.string));
        }
        throw Error(SENTEVAL_INVALID_ARGUMENT,
                    "parameter '" + std::string(to_view(p.key)) + "' has the wrong type");
    }

    std::span<const senteval_param> params_;
};

/// An entry for an encoder's `params` table.
constexpr senteval_param_spec
param(const char* key, senteval_value fallback, const char* help, std::uint32_t flags = 0)
{
    return {sizeof(senteval_param_spec), flags, key, help, fallback};
}
/// The same; the type of the default is the type of the parameter.
constexpr senteval_param_spec param(const char* key, bool fallback, const char* help)
{
    return param(key, {SENTEVAL_TYPE_BOOLEAN, 0, {.boolean = fallback ? 1u : 0u}}, help);
}
constexpr senteval_param_spec param(const char* key, std::int64_t fallback, const char* help)
{
    return param(key, {SENTEVAL_TYPE_INTEGER, 0, {.integer = fallback}}, help);
}
constexpr senteval_param_spec param(const char* key, int fallback, const char* help)
{
    return param(key, std::int64_t{fallback}, help);
}
constexpr senteval_param_spec param(const char* key, double fallback, const char* help)
{
    return param(key, {SENTEVAL_TYPE_REAL, 0, {.real = fallback}}, help);
}
constexpr senteval_param_spec param(const char* key, const char* fallback, const char* help)
{
    return param(key, {SENTEVAL_TYPE_STRING, 0, {.string = to_c(fallback)}}, help);
}
/// A file or directory; the host makes it absolute.
constexpr senteval_param_spec
path_param(const char* key, const char* help, std::uint32_t flags = SENTEVAL_PARAM_REQUIRED)
{
    return param(key, {SENTEVAL_TYPE_PATH, 0, {.string = {nullptr, 0}}}, help, flags);
}

/// `spec`, but of a parameter that changes no vector: a cache folder, a thread count.
constexpr senteval_param_spec no_effect(senteval_param_spec spec)
{
    spec.flags |= SENTEVAL_PARAM_NO_EFFECT;
    return spec;
}

// ---- Text and vectors ---------------------------------------------------------------------------

/// Read-only view of the sentences of a call; a range of std::string_view.
class Batch {
public:
    explicit Batch(const senteval_batch* batch) noexcept : batch_(batch) {}

    [[nodiscard]] std::size_t size() const noexcept { return batch_->count; }
    [[nodiscard]] bool empty() const noexcept { return batch_->count == 0; }
    [[nodiscard]] bool tokenised() const noexcept
    {
        return (batch_->flags & SENTEVAL_BATCH_TOKENISED) != 0;
    }
    std::string_view operator[](std::size_t i) const noexcept
    {
        return to_view(batch_->sentences[i]);
    }

    class iterator {
    public:
        using value_type = std::string_view;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::forward_iterator_tag;

        iterator() noexcept = default;
        explicit iterator(const senteval_string* at) noexcept : at_(at) {}
        std::string_view operator*() const noexcept { return to_view(*at_); }
        iterator& operator++() noexcept
        {
            ++at_;
            return *this;
        }
        iterator operator++(int) noexcept { return iterator{at_++}; }
        bool operator==(const iterator&) const noexcept = default;

    private:
        const senteval_string* at_ = nullptr;
    };
    [[nodiscard]] iterator begin() const noexcept { return iterator{batch_->sentences}; }
    [[nodiscard]] iterator end() const noexcept
    {
        return iterator{batch_->sentences + batch_->count};
    }

private:
    const senteval_batch* batch_;
};

/// Writable view of the host's output, one row per sentence.
class Matrix {
public:
    explicit Matrix(const senteval_matrix* matrix) noexcept : matrix_(matrix) {}

    [[nodiscard]] std::size_t rows() const noexcept { return matrix_->rows; }
    [[nodiscard]] std::size_t cols() const noexcept { return matrix_->cols; }
    [[nodiscard]] std::size_t row_stride() const noexcept { return matrix_->row_stride; }
    [[nodiscard]] float* data() const noexcept { return matrix_->data; }
    [[nodiscard]] std::span<float> row(std::size_t i) const noexcept
    {
        return {matrix_->data + i * matrix_->row_stride, matrix_->cols};
    }

private:
    const senteval_matrix* matrix_;
};

/// The purpose of the texts of a batch; see senteval_roles in encoder.h.
enum class Role : senteval_role {
    as_is = SENTEVAL_ROLE_AS_IS,
    query = SENTEVAL_ROLE_QUERY,
    document = SENTEVAL_ROLE_DOCUMENT
};

/// The task that comes next, for prepare().
struct Task {
    std::string_view name;
    std::string_view language; ///< empty when unknown
};

// ---- The encoder class --------------------------------------------------------------------------

/// The static half of an encoder; see senteval_encoder for what each member means.
struct Descriptor {
    const char* id;
    const char* name;
    const char* version;
    const char* description = "";
    const char* license = nullptr;
    std::uint32_t capabilities = 0;
};

/// Everything the constructor of an encoder gets.
struct Setup {
    Host host;     ///< may be kept
    Params params; ///< borrowed
    Call& call;    ///< borrowed
};

/// A class that SENTEVAL_PLUGIN() accepts.
template <typename T>
concept Encoder = std::constructible_from<T, const Setup&> && std::destructible<T> &&
    requires(T& t, const T& c, Call& call, Batch batch, Matrix out)
{
    {
        T::descriptor
        } -> std::convertible_to<const Descriptor&>;
    {
        c.dimension()
        } -> std::convertible_to<std::size_t>;
    t.encode(call, batch, out);
};

namespace detail {

/// Runs `body` and turns whatever it throws into a status and a message.  The one place where
/// plugin exceptions end.
template <typename Body>
senteval_status guard(const senteval_call* call, Body&& body) noexcept
{
    try {
        body();
        return SENTEVAL_OK;
    } catch (const Error& e) {
        call->fail(call, to_c(e.what()));
        return e.status() == SENTEVAL_OK ? senteval_status{SENTEVAL_INTERNAL} : e.status();
    } catch (const std::bad_alloc&) {
        call->fail(call, to_c("out of memory"));
        return SENTEVAL_OUT_OF_MEMORY;
    } catch (const std::exception& e) {
        call->fail(call, to_c(e.what()));
        return SENTEVAL_INTERNAL;
    } catch (...) {
        call->fail(call, to_c("an exception that is not a std::exception"));
        return SENTEVAL_INTERNAL;
    }
}

/// Pointers to the entries of T::params, or none.
template <typename T>
constexpr auto spec_pointers()
{
    if constexpr (requires { std::size(T::params); }) {
        std::array<const senteval_param_spec*, std::size(T::params)> pointers{};
        for (std::size_t i = 0; i < pointers.size(); ++i)
            pointers[i] = &T::params[i];
        return pointers;
    } else {
        return std::array<const senteval_param_spec*, 0>{};
    }
}

/// The C table of encoder class T and the functions in it.
template <Encoder T>
struct Binding {
    // Members that T may have, as they should be.
    static constexpr bool prepares = requires(T & t, Call& call, const Task& task, Batch batch)
    {
        t.prepare(call, task, batch);
    };
    static constexpr bool counts_known =
        requires(const T& t, Batch batch, std::span<std::uint32_t> counts)
    {
        t.count_known(batch, counts, counts);
    };
    static constexpr bool knows_roles = requires(T & t, Call& call, Batch batch, Matrix out)
    {
        t.encode_as(call, Role::query, batch, out);
    };
    static constexpr bool states_identity = requires(const T& t) // the text must outlive the call
    {
        requires std::same_as<decltype(t.identity()), const std::string&>;
    };
    static constexpr bool knows_prepare = requires(const T& t)
    {
        requires std::same_as<decltype(t.ignores_prepare()), bool>;
    };
    static constexpr bool knows_capabilities = requires(const T& t)
    {
        requires std::same_as<decltype(t.capabilities()), std::uint32_t>;
    };
    static constexpr bool wants_own_process = requires { requires T::own_process; };
    static constexpr bool ranks = requires { requires T::ranks; };
    static constexpr bool reranks = requires { requires T::reranks; };
    // files_of(folder) gives lines, none where the folder is not its own: SENTEVAL_FOLDER_EXTENSION.
    static constexpr bool knows_folders = requires(const char* folder)
    {
        requires std::convertible_to<decltype(T::folder_parameter), const char*>;
        requires std::same_as<decltype(T::files_of(folder)), std::string>;
    };
    static constexpr bool encodes_const = requires(const T& t, Call& call, Batch batch, Matrix out)
    {
        t.encode(call, batch, out);
    };
    static constexpr bool knows_roles_const =
        requires(const T& t, Call& call, Batch batch, Matrix out)
    {
        t.encode_as(call, Role::query, batch, out);
    };

    static T& self(senteval_instance* instance) noexcept { return *reinterpret_cast<T*>(instance); }
    static const T& self(const senteval_instance* instance) noexcept
    {
        return *reinterpret_cast<const T*>(instance);
    }

    static senteval_status create(const senteval_call* c,
                                  const senteval_host* host,
                                  const senteval_param* params,
                                  std::size_t count,
                                  senteval_instance** out) noexcept
    {
        return guard(c, [&] {
            Call call(c);
            auto encoder = std::make_unique<T>(Setup{Host(host), Params(params, count), call});
            *out = reinterpret_cast<senteval_instance*>(encoder.release());
        });
    }

    static void destroy(senteval_instance* instance) noexcept { delete &self(instance); }

    static senteval_status prepare(const senteval_call* c,
                                   senteval_instance* instance,
                                   const senteval_task* task,
                                   const senteval_batch* samples) noexcept
    {
        return guard(c, [&] {
            if constexpr (prepares) {
                Call call(c);
                self(instance).prepare(
                    call, Task{task->name, task->language != nullptr ? task->language : ""},
                    Batch(samples));
            }
        });
    }

    static senteval_status
    dimension(const senteval_call* c, const senteval_instance* instance, std::size_t* out) noexcept
    {
        return guard(c, [&] { *out = self(instance).dimension(); });
    }

    static senteval_status batcher(const senteval_call* c,
                                   senteval_instance* instance,
                                   const senteval_batch* batch,
                                   senteval_matrix* out) noexcept
    {
        return guard(c, [&] {
            Call call(c);
            self(instance).encode(call, Batch(batch), Matrix(out));
        });
    }

    static senteval_status count_known(const senteval_call* c,
                                       const senteval_instance* instance,
                                       const senteval_batch* batch,
                                       std::uint32_t* tokens,
                                       std::uint32_t* known) noexcept
    {
        return guard(c, [&] {
            if constexpr (counts_known)
                self(instance).count_known(Batch(batch), {tokens, batch->count},
                                           {known, batch->count});
        });
    }

    static senteval_status encode_as(const senteval_call* c,
                                     senteval_instance* instance,
                                     senteval_role role,
                                     const senteval_batch* batch,
                                     senteval_matrix* out) noexcept
    {
        return guard(c, [&] {
            Call call(c);
            const bool is_known = role == SENTEVAL_ROLE_QUERY || role == SENTEVAL_ROLE_DOCUMENT;
            if constexpr (knows_roles)
                self(instance).encode_as(call, is_known ? Role{role} : Role::as_is, Batch(batch),
                                         Matrix(out));
        });
    }

    static senteval_status
    state(const senteval_call* c, senteval_instance* instance, senteval_string* json) noexcept
    {
        return guard(c, [&] {
            if constexpr (states_identity)
                *json = to_c(std::as_const(self(instance)).identity());
        });
    }

    static std::uint32_t ignores_prepare(const senteval_instance* instance) noexcept
    {
        if constexpr (knows_prepare)
            return self(instance).ignores_prepare() ? 1 : 0;
        return 0;
    }

    static std::uint32_t capabilities(const senteval_instance* instance) noexcept
    {
        if constexpr (knows_capabilities)
            return self(instance).capabilities();
        return T::descriptor.capabilities;
    }

    static const char* files(const char* folder) noexcept
    {
        try {
            static thread_local std::string names;
            if constexpr (knows_folders)
                names = T::files_of(folder);
            return names.empty() ? nullptr : names.c_str();
        } catch (...) {
            return nullptr;
        }
    }

    static constexpr const char* folder_parameter() noexcept
    {
        if constexpr (knows_folders)
            return T::folder_parameter;
        return nullptr;
    }

    static const void* get_extension(const senteval_encoder*, const char* id) noexcept
    {
        static constexpr senteval_folder folder{sizeof(senteval_folder), 0, folder_parameter(),
                                                &files};
        static constexpr senteval_vocabulary vocabulary{sizeof(senteval_vocabulary), 0,
                                                        &count_known};
        static constexpr senteval_identity identity{sizeof(senteval_identity), 0,
                                                    states_identity ? &state : nullptr,
                                                    knows_prepare ? &ignores_prepare : nullptr,
                                                    knows_capabilities ? &capabilities : nullptr};
        static constexpr senteval_roles roles{sizeof(senteval_roles), 0, &encode_as};
        const std::string_view wanted = id;
        if (counts_known && wanted == SENTEVAL_VOCABULARY_EXTENSION)
            return &vocabulary;
        if (knows_roles && wanted == SENTEVAL_ROLES_EXTENSION)
            return &roles;
        if ((states_identity || knows_prepare || knows_capabilities) &&
            wanted == SENTEVAL_IDENTITY_EXTENSION)
            return &identity;
        if ((wants_own_process && wanted == SENTEVAL_USER_CODE_EXTENSION) ||
            (ranks && wanted == SENTEVAL_RANKER_EXTENSION) ||
            (reranks && wanted == SENTEVAL_RERANKER_EXTENSION))
            return &identity; // anything but nullptr
        if (knows_folders && wanted == SENTEVAL_FOLDER_EXTENSION)
            return &folder;
        return nullptr;
    }

    static constexpr auto specs = spec_pointers<T>();

    static constexpr senteval_encoder table{
        .struct_size = sizeof(senteval_encoder),
        .capabilities = T::descriptor.capabilities,
        .id = T::descriptor.id,
        .name = T::descriptor.name,
        .version = T::descriptor.version,
        .description = T::descriptor.description,
        .license = T::descriptor.license,
        .params = specs.data(),
        .param_count = specs.size(),
        .create = &create,
        .destroy = &destroy,
        .prepare = prepares ? &prepare : nullptr,
        .dimension = &dimension,
        .batcher = &batcher,
        .get_extension = counts_known || knows_roles ||
                                 (states_identity || knows_prepare || knows_capabilities) ||
                                 wants_own_process || knows_folders || ranks || reranks
                             ? &get_extension
                             : nullptr,
    };

    static_assert(!(T::descriptor.capabilities & SENTEVAL_CAP_CONCURRENT_BATCHER) ||
                      (encodes_const && knows_roles_const == knows_roles),
                  "an encoder with SENTEVAL_CAP_CONCURRENT_BATCHER needs a const encode(), and a "
                  "const encode_as() where it has one");
    static_assert(
        prepares || !requires { &T::prepare; }, "prepare() must take (Call&, const Task&, Batch)");
    static_assert(
        counts_known || !requires { &T::count_known; },
        "count_known() must be const and take (Batch, std::span<std::uint32_t>, "
        "std::span<std::uint32_t>)");
    static_assert(
        knows_roles || !requires { &T::encode_as; },
        "encode_as() must take (Call&, Role, Batch, Matrix)");
    static_assert(
        states_identity || !requires { &T::identity; },
        "identity() must be const and return const std::string&");
    static_assert(
        knows_prepare || !requires { &T::ignores_prepare; },
        "ignores_prepare() must be const and return bool");
    static_assert(
        knows_capabilities || !requires { &T::capabilities; },
        "capabilities() must be const and return std::uint32_t");
};

template <Encoder... Ts>
const senteval_plugin* entry(std::uint32_t host_abi_version) noexcept
{
    static_assert(sizeof...(Ts) > 0, "a plugin needs at least one encoder");
    static constexpr const senteval_encoder* encoders[] = {&Binding<Ts>::table...};
    static constexpr senteval_plugin plugin{sizeof(senteval_plugin), SENTEVAL_ABI_VERSION, encoders,
                                            sizeof...(Ts)};
    return SENTEVAL_ABI_MAJOR_OF(host_abi_version) == SENTEVAL_ABI_MAJOR ? &plugin : nullptr;
}

} // namespace detail
} // namespace senteval::sdk

/// Makes the library a plugin with these encoder classes.  Once per library, at namespace scope.
#define SENTEVAL_PLUGIN(...)                                                                       \
    extern "C" SENTEVAL_EXPORT const senteval_plugin* senteval_plugin_entry(                       \
        std::uint32_t host_abi_version)                                                            \
    {                                                                                              \
        return ::senteval::sdk::detail::entry<__VA_ARGS__>(host_abi_version);                      \
    }                                                                                              \
    static_assert(true, "SENTEVAL_PLUGIN(...) needs a semicolon")

#endif // C++20
