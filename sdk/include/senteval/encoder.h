/*
 * encoder.h -- the whole contract between the evaluation host and an encoder plugin.
 *
 * Pure C11, no dependency beyond <float.h>, <stddef.h> and <stdint.h>, also valid C++11 and later.
 * An encoder plugin is a shared library that exports exactly one symbol, senteval_plugin_entry().
 * Everything else is reached from the table that function returns.  C++ authors should include the
 * SDK header instead, which turns this file into one class and one macro.
 *
 *
 * Life of a plugin
 * ----------------
 *
 *     senteval_plugin_entry()        once per load; static data only, no I/O, no threads
 *       `- create()              once per instance; reads parameters, loads the model
 *            `- prepare()        optional; once per task, sees every sentence of that task
 *                 |- dimension() once after every prepare (or once, without a prepare)
 *                 `- batcher()   many times, perhaps from many threads: text in, vectors out
 *            `- destroy()        once per instance that create() made
 *
 * A library that has been loaded is not unloaded again before the process ends.
 *
 *
 * Rules
 * -----
 *
 * `senteval check LIBRARY` tries them one by one and names by number what is broken.  A rule speaks
 * of the plugin unless it names the host.
 *
 *  1. Versions and the table.  The major number changes only when old binaries must be refused, the
 *     minor number when something was appended.  Members are appended, never moved, never given a
 *     new meaning.  A reader touches a member that is newer than version 1.0 only after
 *     SENTEVAL_HAS() says that it is there.
 *
 *     1.1   The library can be loaded: its dependencies are found, no symbol stays undefined, and
 *           senteval_plugin_entry() is exported.
 *     1.2   senteval_plugin_entry() returns the plugin's table, at each call the same, or NULL when
 *           the plugin does not speak the host's major version.
 *     1.3   The table's abi_version has the host's major number.
 *     1.4   Every struct that can grow begins with struct_size, which its maker sets to sizeof(the
 *           struct) as *it* was compiled.
 *     1.5   The table has at least one encoder, no entry is NULL, and each encoder has create,
 *           destroy, dimension and batcher.
 *     1.6   senteval_plugin_entry() does nothing else: it starts no thread, opens no file, prints
 *           nothing.
 *
 *  2. Memory.  Whoever allocates, frees: nothing allocated on one side is freed on the other.
 *
 *     2.1   A pointer passed to a function is valid until that function returns, unless its comment
 *           says otherwise: keep a copy of what has to live longer.
 *     2.2   destroy() leaves nothing behind of its instance: no memory, no open file.
 *     2.3   Memory does not grow with the number of batches.
 *
 *  3. Strings.
 *
 *     3.1   Strings are UTF-8.  Names, descriptions, helps, reasons and log lines hold no control
 *           characters (a reason or a log line may hold tabs and line ends).
 *     3.2   Text that carries data is a pointer and a length: nothing behind its last byte is read,
 *           and the pointer may be NULL where the length is 0.
 *     3.3   The text of a batch is read, never written.
 *
 *  4. Errors.
 *
 *     4.1   No exception and no longjmp() leaves a function.
 *     4.2   No call that the rules allow crashes the process.
 *     4.3   A function that returns anything but SENTEVAL_OK or SENTEVAL_CANCELLED has said why
 *           with call->fail().  Name what the user can fix: the key, the file, the value.
 *     4.4   A status is one of those that are defined.
 *     4.5   SENTEVAL_CANCELLED is returned only where call->is_cancelled() has said so.
 *     4.6   A failed call leaves the instance usable, or at the least destroyable.  What it wrote
 *           is ignored.
 *     4.7   create() that succeeds has made an instance; create() that fails leaves `*out`
 *           untouched.
 *
 *  5. Threads.  Every function carries one of these tags:
 *
 *       [any-thread]  from any thread, also while it is running on another one.
 *       [serial]      from any thread; for one instance the host never lets two [serial] calls
 *                     overlap, and never overlaps one with a batcher().
 *       [batcher]     as [serial], unless the encoder declares SENTEVAL_CAP_CONCURRENT_BATCHER: then
 *                     batcher() calls on one instance may overlap each other.
 *       [in-call]     only from inside the call that the object was passed to, on its thread.
 *
 *     5.1   Different instances, also of one encoder, are independent: calls on them may overlap,
 *           and none changes what another answers.
 *     5.2   The senteval_call is used inside its call only, on the thread of the call.
 *     5.3   Threads that the plugin started are joined when destroy() returns.
 *     5.4   A call keeps at most thread_budget threads busy, its own included.
 *     5.5   A call that is cancelled returns within a second of further work.
 *     5.6   Progress never goes back within a call, and `done` is at most `total` unless `total` is
 *           0.
 *
 *  6. Process state.
 *
 *     6.1   No call changes the locale, of the process or of the thread.
 *     6.2   No call changes a signal's handler or the thread's signal mask.
 *     6.3   No call changes the working directory.
 *     6.4   No call changes the floating-point environment: rounding mode, denormal numbers, traps.
 *     6.5   No call changes the mask of new files (umask).
 *     6.6   Nothing is written to stdout, and descriptors 0, 1 and 2 stay what they are.
 *     6.7   No call ends the process: no exit(), quick_exit(), _exit() or abort().
 *     6.8   A call returns in the process that made it only: a process that the plugin forks ends
 *           itself, by execve() or _exit(), and does not return into the host.
 *
 *     What the host does about it.  A plugin that does not come with the program runs in a process
 *     of its own, and nothing of this is put back: the end of that process costs the task at work,
 *     and what it prints goes to the log, by the encoder's name.  A forked process in which a call
 *     returns is ended.
 *
 *  7. Names.
 *
 *     7.1   An id has 1 to 100 letters, digits, '.', '-' and '_' of ASCII, begins and ends with a
 *           letter or digit, and is the only one of its kind in the library.
 *     7.2   Name and version are there, are not empty, and have at most 200 bytes.
 *
 *  8. Parameters.  The host has checked what it passes to create(): keys are known, types as
 *     declared (an integer has become a real where a real is wanted), required parameters present,
 *     texts UTF-8.
 *
 *     8.1   Every parameter has a key, a known type, flags that are defined and a default of its
 *           type.
 *     8.2   A key has the form [a-z][a-z0-9_]*, at most 64 bytes, and is declared once.
 *     8.3   create() takes the default of a parameter as a value.
 *     8.4   create() without a required parameter fails.
 *     8.5   create() takes any value of the declared type, or refuses it by
 *           SENTEVAL_INVALID_ARGUMENT, SENTEVAL_NOT_FOUND, SENTEVAL_UNSUPPORTED or
 *           SENTEVAL_OUT_OF_MEMORY.
 *     8.6   A path that is not there is refused by SENTEVAL_NOT_FOUND or SENTEVAL_INVALID_ARGUMENT,
 *           and the reason names the path or the key.
 *     8.7   A key that is not declared and a value of another type, which this host never passes,
 *           are ignored or refused like any other wrong value.
 *
 *  9. Life.
 *
 *     9.1   prepare() replaces what the prepare() before it left.  A failed prepare() leaves
 *           nothing: the host prepares again or destroys.
 *     9.2   Before prepare(), dimension() and batcher() answer or fail like any other call.
 *     9.3   A dimension is at least 1, and constant from one prepare() to the next; for the life of
 *           the instance where prepare is NULL.
 *
 * 10. Text.
 *
 *     10.1  batcher() and prepare() take every list of sentences that are valid UTF-8.  An encoder
 *           whose vectors were made elsewhere refuses in prepare() sentences that it has none for.
 *     10.2  An empty batch succeeds and writes nothing.
 *     10.3  An empty sentence gets a finite vector, too; zeros will do.
 *     10.4  A sentence may hold any character: NUL, control characters, every plane of Unicode.
 *     10.5  A sentence may have any length, such as 1 MB, and so may a token, such as 100 kB.
 *     10.6  Sentences may lie anywhere, in any order, share bytes, and be equal.
 *
 * 11. Vectors.
 *
 *     11.1  Each of the rows x cols elements is written.
 *     11.2  Each of them is finite.
 *     11.3  Nothing else is written: not between `cols` and `row_stride`, before the first or
 *           behind the last.
 *     11.4  Of `data`, only the alignment of a float is assumed.
 *     11.5  What the matrix holds on entry is not read.
 *     11.6  Row i belongs to sentence i of the batch.
 *
 * 12. Capabilities.  What is not declared costs speed, never correctness.  A run re-encodes a
 *     sample of each task's sentences and fails the task where one of the first two does not hold.
 *
 *     12.1  SENTEVAL_CAP_BATCH_INVARIANT: a row depends on its sentence only, not on the rest of
 *           the batch, its order, or earlier batches; up to rounding.
 *     12.2  SENTEVAL_CAP_CONCURRENT_BATCHER: overlapping batcher() calls give what they give one by
 *           one.
 *     12.3  SENTEVAL_CAP_DETERMINISTIC: same parameters, same prepare() text, same batches, same
 *           thread_budget: same bits, from every thread, instance, process and run on one machine.
 *     12.4  SENTEVAL_CAP_PREPARE_IRRELEVANT: no vector depends on what prepare() was shown.
 *     12.5  SENTEVAL_PARAM_NO_EFFECT: no vector depends on the parameter.
 *
 * 13. Extensions.
 *
 *     13.1  get_extension() answers with the same pointer each time, and with NULL for an id it
 *           does not know.
 *     13.2  count_known() writes one pair of numbers per sentence, of which `known` is at most
 *           `tokens`.
 *     13.3  What an instance states as its identity is JSON, and the same for the same parameters.
 *     13.4  The encode() of senteval_roles does for each role what the rules ask of batcher().
 *     13.5  The dimension of a ranker is the number of sentences that prepare() was shown, that of a
 *           reranker is 1.
 */
#ifndef SENTEVAL_ENCODER_ABI_H
#define SENTEVAL_ENCODER_ABI_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------- */
/*  Version and visibility                                                                        */
/* ---------------------------------------------------------------------------------------------- */

#define SENTEVAL_ABI_MAJOR 1u
#define SENTEVAL_ABI_MINOR 0u

/** The version this header describes, as one number: major in the high half, minor in the low. */
#define SENTEVAL_ABI_VERSION ((SENTEVAL_ABI_MAJOR << 16) | SENTEVAL_ABI_MINOR)
#define SENTEVAL_ABI_MAJOR_OF(version) ((version) >> 16)
#define SENTEVAL_ABI_MINOR_OF(version) ((version)&0xffffu)

/** True when the struct that `ptr` (a `type *`) points to was compiled with `member` in it. */
#define SENTEVAL_HAS(ptr, type, member)                                                            \
    ((ptr)->struct_size >= offsetof(type, member) + sizeof((ptr)->member))

/** Marks the one exported symbol.  Build everything else with -fvisibility=hidden. */
#if defined(_WIN32)
#define SENTEVAL_EXPORT __declspec(dllexport)
#else
#define SENTEVAL_EXPORT __attribute__((visibility("default")))
#endif

/* ---------------------------------------------------------------------------------------------- */
/*  Small frozen types: passed in arrays, so they never change within a major version             */
/* ---------------------------------------------------------------------------------------------- */

/** Outcome of a call.  A reader treats an unknown value as SENTEVAL_INTERNAL. */
typedef uint32_t senteval_status;
enum {
    SENTEVAL_OK = 0,
    SENTEVAL_INVALID_ARGUMENT =
        1,                    /**< a parameter is missing, unknown, ill-typed or out of range */
    SENTEVAL_NOT_FOUND = 2,   /**< a file or device that a parameter names is not there */
    SENTEVAL_UNSUPPORTED = 3, /**< well-formed, but this encoder cannot do it */
    SENTEVAL_OUT_OF_MEMORY = 4,
    SENTEVAL_CANCELLED = 5, /**< stopped because call->is_cancelled() said so; not a fault */
    SENTEVAL_INTERNAL = 6   /**< anything else */
};

typedef uint32_t senteval_log_level;
enum {
    SENTEVAL_LOG_DEBUG = 0,
    SENTEVAL_LOG_INFO = 1,
    SENTEVAL_LOG_WARNING = 2,
    SENTEVAL_LOG_ERROR = 3
};

/** A run of UTF-8 bytes, not NUL-terminated.  `data` may be NULL when `size` is 0. */
typedef struct senteval_string {
    const char* data;
    size_t size; /**< in bytes */
} senteval_string;

typedef uint32_t senteval_type;
enum {
    SENTEVAL_TYPE_BOOLEAN = 1, /**< as.boolean, 0 or 1 */
    SENTEVAL_TYPE_INTEGER = 2, /**< as.integer */
    SENTEVAL_TYPE_REAL = 3,    /**< as.real */
    SENTEVAL_TYPE_STRING = 4,  /**< as.string */
    SENTEVAL_TYPE_PATH = 5     /**< as.string, made absolute by the host against the config file */
};

/** A typed value.  Which member of `as` holds it follows from `type`. */
typedef struct senteval_value {
    senteval_type type;
    uint32_t reserved; /**< 0 */
    union {
        uint32_t boolean;
        int64_t integer;
        double real;
        senteval_string string;
    } as;
} senteval_value;

/** One parameter.  A list is passed as the same key several times, in order. */
typedef struct senteval_param {
    senteval_string key;
    senteval_value value;
} senteval_param;

/* ---------------------------------------------------------------------------------------------- */
/*  What the host offers                                                                          */
/* ---------------------------------------------------------------------------------------------- */

/**
 * Host services that outlive a single call.  Passed to create(); the pointer and all it points to
 * stay valid until destroy() has returned.
 */
typedef struct senteval_host {
    uint32_t struct_size;
    uint32_t abi_version; /**< SENTEVAL_ABI_VERSION of the host */
    const char* name;     /**< host program, for log lines and bug reports */
    const char* version;
    void* ctx; /**< the host's own; plugins leave it alone */

    /** Writes one line, without a trailing newline, to the host's log.  [any-thread] */
    void (*log)(const struct senteval_host* host,
                senteval_log_level level,
                senteval_string message);

    /**
     * Asks for an optional service, "NAME/REVISION".  Returns NULL when the host lacks it; what it
     * returns otherwise is owned by the host and lives as long as `host`.  A new revision is a new
     * id: the meaning of an id never changes.  [any-thread]
     */
    const void* (*get_extension)(const struct senteval_host* host, const char* id);
} senteval_host;

/**
 * Host services for one running call.  Dead once that call returns.
 */
typedef struct senteval_call {
    uint32_t struct_size;

    /**
     * The most threads this call should keep busy, its own included; at least 1.  The host divides
     * the machine between overlapping calls with it.  Encoders without threads ignore it.
     */
    uint32_t thread_budget;

    void* ctx; /**< the host's own */

    /**
     * Says why the call is about to fail.  The host copies the message; the last one wins.  Name
     * what the user can fix: the key, the file, the value.  [in-call]
     */
    void (*fail)(const struct senteval_call* call, senteval_string message);

    /** `done` of `total` steps are finished; `total` 0 when it is unknown.  Cheap.  [in-call] */
    void (*progress)(const struct senteval_call* call, uint64_t done, uint64_t total);

    /**
     * Non-zero once the user wants to stop.  Poll it at least every second or so of work, and
     * answer by returning SENTEVAL_CANCELLED.  Cheap.  [in-call]
     */
    uint32_t (*is_cancelled)(const struct senteval_call* call);
} senteval_call;

/* ---------------------------------------------------------------------------------------------- */
/*  Text in, vectors out                                                                          */
/* ---------------------------------------------------------------------------------------------- */

/**
 * Sentences to read.  The host has checked that every one is valid UTF-8.  A sentence may be empty
 * and may contain NUL bytes.  The views may point anywhere (into a mapped file, say), in any order,
 * and several may share bytes: the host sorts and de-duplicates by moving views, never text.
 */
typedef struct senteval_batch {
    uint32_t struct_size;
    uint32_t flags; /**< SENTEVAL_BATCH_*; hints, so ignoring one is never wrong */
    size_t count;   /**< number of sentences; may be 0 */
    const senteval_string* sentences; /**< `count` of them */
} senteval_batch;

enum {
    /**
     * Tokens are separated by one ASCII space each; do not tokenise again.  Without it a text is as
     * it was written, with any white space in it.
     */
    SENTEVAL_BATCH_TOKENISED = 1u << 0
};

/**
 * Where the vectors go: float32, row-major, owned by the host.
 *
 *     element (i, j)  ==  data[i * row_stride + j]
 *
 * Row i belongs to sentence i of the batch.  Only alignof(float) may be assumed of `data`.  It does
 * not overlap the text.  Its content on entry is arbitrary: write each of the rows x cols elements,
 * all of them finite.  Write nothing between `cols` and `row_stride`.
 *
 * (With row_stride == cols this is, byte for byte, a column-major matrix of `cols` rows and `rows`
 * columns: one sentence per column, as Armadillo wants it.)
 */
typedef struct senteval_matrix {
    uint32_t struct_size;
    uint32_t reserved; /**< 0 */
    float* data;
    size_t rows;       /**< == batch->count */
    size_t cols;       /**< == what dimension() last said */
    size_t row_stride; /**< in floats, >= cols */
} senteval_matrix;

/** What prepare() is for. */
typedef struct senteval_task {
    uint32_t struct_size;
    uint32_t reserved;    /**< 0 */
    const char* name;     /**< for instance "STSBenchmark"; never NULL */
    const char* language; /**< BCP 47 tag such as "en", or NULL when unknown or mixed */
} senteval_task;

/* ---------------------------------------------------------------------------------------------- */
/*  What the plugin offers                                                                        */
/* ---------------------------------------------------------------------------------------------- */

/** One encoder at work.  Defined by the plugin, opaque to the host. */
typedef struct senteval_instance senteval_instance;

/** Describes one parameter that create() understands. */
typedef struct senteval_param_spec {
    uint32_t struct_size;
    uint32_t flags;   /**< SENTEVAL_PARAM_* */
    const char* key;  /**< [a-z][a-z0-9_]* */
    const char* help; /**< one sentence, with the unit and the range */
    senteval_value
        default_value; /**< its type is the parameter's type, also where it is required */
} senteval_param_spec;

enum {
    SENTEVAL_PARAM_REQUIRED = 1u << 0, /**< create() fails without it; the default is not used */
    SENTEVAL_PARAM_LIST = 1u << 1,     /**< may be given more than once */
    /** Changes no vector (a cache folder, a thread count): not part of the encoder's identity. */
    SENTEVAL_PARAM_NO_EFFECT = 1u << 2
};

/** What the host may rely on.  An undeclared capability only costs speed, never correctness. */
enum {
    /** batcher() may run on one instance from several threads at the same time. */
    SENTEVAL_CAP_CONCURRENT_BATCHER = 1u << 0,

    /**
     * A row depends on its own sentence only, not on the rest of the batch nor on earlier batches
     * (prepare() may matter).  Allows the host to sort by length, de-duplicate and cache.  Up to
     * rounding: a matrix product may round a row differently in a batch of another size.
     */
    SENTEVAL_CAP_BATCH_INVARIANT = 1u << 1,

    /**
     * Same parameters, same prepare() text, same batches, same thread_budget: same bits, run after
     * run on the same machine.
     */
    SENTEVAL_CAP_DETERMINISTIC = 1u << 2,

    /**
     * No vector depends on what prepare() was shown, task name included: it only makes batcher()
     * faster.  Vectors that the host keeps for one task then hold for every other.  Where that
     * depends on the parameters, see senteval_identity.
     */
    SENTEVAL_CAP_PREPARE_IRRELEVANT = 1u << 3
};

/**
 * A kind of encoder: what it is called, what it can do, and how to run it.  Constant data, valid
 * for as long as the library is loaded.
 */
typedef struct senteval_encoder {
    uint32_t struct_size;
    uint32_t capabilities;   /**< SENTEVAL_CAP_*; unknown bits are ignored */
    const char* id;          /**< unique, stable: "org.example.mean-pool"; names cache entries */
    const char* name;        /**< for people */
    const char* version;     /**< of the encoder; change it whenever vectors change */
    const char* description; /**< one or two sentences */
    const char* license;     /**< SPDX expression for code and weights, or NULL */

    const senteval_param_spec* const* params; /**< `param_count` pointers */
    size_t param_count;

    /**
     * Makes an instance: reads the parameters, opens the model.  May take long.
     *
     * The host has checked `params` against the specs: no unknown key, types as declared (an
     * integer has become a real where a real is wanted), required ones present.  Defaults are not
     * filled in.
     *
     * @param      call         services for this call
     * @param      host         services for the life of the instance
     * @param      params       `param_count` parameters, in the order of the config file
     * @param      param_count  number of entries in `params`
     * @param[out] out          the new instance; untouched on failure
     * [any-thread]
     */
    senteval_status (*create)(const senteval_call* call,
                              const senteval_host* host,
                              const senteval_param* params,
                              size_t param_count,
                              senteval_instance** out);

    /** Frees an instance.  Cannot fail.  [serial] */
    void (*destroy)(senteval_instance* instance);

    /**
     * Optional, may be NULL.  Shows the encoder every sentence of the task that comes next, to let
     * it build a vocabulary, word weights or a principal component.  Replaces the state of the
     * prepare() before.  A failed prepare() leaves none: the host prepares again or destroys.
     * [serial]
     */
    senteval_status (*prepare)(const senteval_call* call,
                               senteval_instance* instance,
                               const senteval_task* task,
                               const senteval_batch* samples);

    /**
     * Length of the vectors, at least 1.  Constant from one prepare() to the next; constant for
     * the life of the instance where prepare is NULL.  [serial]
     */
    senteval_status (*dimension)(const senteval_call* call,
                                 const senteval_instance* instance,
                                 size_t* out);

    /**
     * Encodes a batch.  An empty batch succeeds and writes nothing.  An empty sentence gets a
     * finite vector too; zeros will do.  [batcher]
     */
    senteval_status (*batcher)(const senteval_call* call,
                               senteval_instance* instance,
                               const senteval_batch* batch,
                               senteval_matrix* out);

    /**
     * Optional, may be NULL.  The plugin's side of host->get_extension(), with the same rules.
     * [any-thread]
     */
    const void* (*get_extension)(const struct senteval_encoder* encoder, const char* id);
} senteval_encoder;

/**
 * Optional service of an encoder, from its get_extension(SENTEVAL_VOCABULARY_EXTENSION): how much of
 * a text it knows.  The host reports the coverage of every task with it.
 */
#define SENTEVAL_VOCABULARY_EXTENSION "senteval.vocabulary/1"
typedef struct senteval_vocabulary {
    uint32_t struct_size;
    uint32_t reserved; /**< 0 */

    /**
     * For each sentence of the batch: the number of its tokens, and of those that have a vector of
     * their own (not that of an unknown word).  Both arrays have batch->count elements.  After
     * prepare(), about its sentences only.  [batcher]
     */
    senteval_status (*count_known)(const senteval_call* call,
                                   const senteval_instance* instance,
                                   const senteval_batch* batch,
                                   uint32_t* tokens,
                                   uint32_t* known);
} senteval_vocabulary;

/** What a text is for where texts are searched.  An unknown one counts as SENTEVAL_ROLE_AS_IS. */
typedef uint32_t senteval_role;
enum {
    SENTEVAL_ROLE_AS_IS = 0, /**< the user's own prefix stands in front of it: add no other */
    SENTEVAL_ROLE_QUERY = 1,
    SENTEVAL_ROLE_DOCUMENT = 2
};

/**
 * Optional service of an encoder, from its get_extension(SENTEVAL_ROLES_EXTENSION): other vectors for
 * queries than for documents.  The host asks it for texts that have a role in their task, and
 * batcher() for all others.  Where the user gives a prefix for such texts (query_prefix,
 * document_prefix, prefix), the host puts it in front of them itself and asks for
 * SENTEVAL_ROLE_AS_IS; batcher() where there is no such service.
 */
#define SENTEVAL_ROLES_EXTENSION "senteval.roles/1"
typedef struct senteval_roles {
    uint32_t struct_size;
    uint32_t reserved; /**< 0 */

    /** As batcher(), of sentences that all have one role.  [batcher] */
    senteval_status (*encode)(const senteval_call* call,
                              senteval_instance* instance,
                              senteval_role role,
                              const senteval_batch* batch,
                              senteval_matrix* out);
} senteval_roles;

/**
 * Optional mark of an encoder: anything but NULL from its get_extension(SENTEVAL_RANKER_EXTENSION) says that it
 * ranks documents and has no vectors of its own, as a lexical or sparse engine does.  prepare() sees the documents,
 * dimension() is their number, and batcher() gives each query one score per document, in their order, higher for
 * better.  A document that a query does not find at all has SENTEVAL_NOT_FOUND_BY_QUERY.
 */
#define SENTEVAL_RANKER_EXTENSION "senteval.ranker/1"
#define SENTEVAL_NOT_FOUND_BY_QUERY (-FLT_MAX)

/**
 * Optional mark of an encoder: anything but NULL from its get_extension(SENTEVAL_RERANKER_EXTENSION) says that it
 * judges pairs, as a cross-encoder does.  prepare() sees one sentence, the query; dimension() is 1, and batcher()
 * gives each document of the batch one score, higher for better: a logit rather than a probability, which
 * rounds to 1 where logits still differ.  Where that depends on the parameters, the member "reranks" of what an
 * instance states as its identity says it (see senteval_identity).
 */
#define SENTEVAL_RERANKER_EXTENSION "senteval.reranker/1"

/**
 * Optional mark of an encoder: anything but NULL from its get_extension(SENTEVAL_USER_CODE_EXTENSION)
 * says that a file of the user's may end the process: its instances run code of the user's, as an embedded
 * interpreter does, or trust what they read. The host then keeps them in a process of their own unless it is
 * told otherwise, wherever the library comes from.
 */
#define SENTEVAL_USER_CODE_EXTENSION "senteval.user-code/1"

/**
 * Optional service of an encoder, from its get_extension(SENTEVAL_FOLDER_EXTENSION): which folders are models of
 * its own.  The host asks the encoders that come with it where a user names a folder in place of an encoder, and
 * knows a model by the files that are listed, whatever else lies beside them.
 */
#define SENTEVAL_FOLDER_EXTENSION "senteval.folder/1"
typedef struct senteval_folder {
    uint32_t struct_size;
    uint32_t reserved; /**< 0 */

    const char* parameter; /**< the path parameter by which such a folder is given */

    /**
     * The files of the folder that vectors depend on, relative to it, each ended by a line feed; NULL
     * where it is no model of this encoder's.  `folder` is UTF-8.  The text stays valid until the next call on
     * the same thread.  [any-thread]
     */
    const char* (*files)(const char* folder);
} senteval_folder;

/**
 * Optional service of an encoder, from its get_extension(SENTEVAL_IDENTITY_EXTENSION): what its
 * vectors depend on that the host cannot see.  By itself the host knows the parameters and the
 * content of the library and of every file and folder that a path parameter names.  It does not
 * know which program a command line starts, which model a server serves, or which modules a script
 * imports.
 *
 * Each function may be NULL.
 */
#define SENTEVAL_IDENTITY_EXTENSION "senteval.identity/1"
typedef struct senteval_identity {
    uint32_t struct_size;
    uint32_t reserved; /**< 0 */

    /**
     * States it as one JSON text, such as {"command": "node embed.mjs", "embed.mjs": "9f86d0..."}:
     * the host shows it in every result, and makes it part of the fingerprint that tells this
     * encoder's results and cached vectors from another's.  The order of keys does not matter.
     * Name content, not places or times: the same vectors, the same text.  Never state a secret.
     * The member "similarity" ("cosine", "dot", "euclidean" or "manhattan") says how the vectors are
     * to be compared where texts are searched.  The member "unseen" ("program" or "server") says that
     * what makes the vectors is outside the host's sight: it then asks for the vectors of a few texts
     * before it takes earlier results for this encoder's; those of a server may differ by a relative 1e-4.
     * The member "reranks" (true) says of this instance what SENTEVAL_RERANKER_EXTENSION says of all.
     * At most 1 MiB.  Called once, after create() and before everything else, also where all
     * results turn out to be there already: what is stated should not need the whole model.
     * `*json` belongs to the instance and stays valid until the next call on it.  [serial]
     */
    senteval_status (*state)(const senteval_call* call,
                             senteval_instance* instance,
                             senteval_string* json);

    /**
     * Non-zero where SENTEVAL_CAP_PREPARE_IRRELEVANT holds for this instance: for encoders in
     * which it depends on the parameters.  [serial]
     */
    uint32_t (*ignores_prepare)(const senteval_instance* instance);

    /**
     * Those of the table's SENTEVAL_CAP_* that this instance keeps: for encoders in which it depends on
     * the parameters, or on the program that they name.  [serial]
     */
    uint32_t (*capabilities)(const senteval_instance* instance);
} senteval_identity;

/** What a library contains.  The first two members keep their place in every version to come. */
typedef struct senteval_plugin {
    uint32_t struct_size;
    uint32_t abi_version; /**< SENTEVAL_ABI_VERSION the plugin was compiled with */
    const senteval_encoder* const* encoders; /**< `encoder_count` pointers */
    size_t encoder_count;                    /**< at least 1 */
} senteval_plugin;

/**
 * The entry point, and the only symbol a plugin exports.
 *
 * Returns the plugin's table, static data that must not be freed, or NULL when the plugin does not
 * speak the host's major version.  The host for its part refuses a table of another major version.
 * A plugin that speaks several picks its table by `host_abi_version`.  Does no other work: listing
 * plugins calls this on every file found.  [any-thread]
 */
SENTEVAL_EXPORT const senteval_plugin* senteval_plugin_entry(uint32_t host_abi_version);

/** Its name, for dlsym(), and its type. */
#define SENTEVAL_PLUGIN_ENTRY_NAME "senteval_plugin_entry"
typedef const senteval_plugin* (*senteval_plugin_entry_fn)(uint32_t host_abi_version);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* SENTEVAL_ENCODER_ABI_H */
