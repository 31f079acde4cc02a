// result.hpp -- the record of a result: who was tested, on what, how, and what was found. Its document is described by
// result.schema.json, or imported.schema.json; no other room names a key of it.
#pragma once

#include "base/json.hpp"
#include "results/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::results {

/// "senteval-result/2": version 1 did not describe its metrics.
inline constexpr std::string_view result_schema = "senteval-result/2";
inline constexpr std::string_view imported_schema = "senteval-imported-result/2";

/// The claims of an encoder; see SENTEVAL_CAP_* in <senteval/encoder.h>.
struct Capabilities {
    bool concurrent = false;
    bool batch_invariant = false;
    bool deterministic = false;
    friend bool operator==(const Capabilities&, const Capabilities&) = default;
};

/// The identity of an encoder.
struct Identity {
    std::string label;                            ///< what tables call it; unique within a run
    std::string id;                               ///< the encoder's own, such as "senteval.glove"
    std::string version;                          ///< the encoder's own
    base::Json parameters = base::Json::object(); ///< as given; without what is at its default
    base::Json files = base::Json::object(); ///< name -> fingerprint, of library and model files
    base::Json stated; ///< what the instance says it depends on beyond these; null where nothing
    std::string fingerprint; ///< hash of everything that can change a vector
    // Of an encoder that no file identifies, which is therefore known by its vectors:
    std::string unseen;   ///< "program" or "server"; empty: files identify it. In no document
    std::string declared; ///< the hash of all that is known without asking it
    std::string since;    ///< when it first had these vectors: "2024-05-01T12:00:00.123Z"
};

struct EncoderRecord : Identity {
    std::size_t batch_size = 0; ///< sentences per call; 0 where vectors do not depend on it
    std::size_t dimension = 0;  ///< the encoder's own; 0: not known
    std::optional<Capabilities> capabilities;
};

/// A task that is a part of another, whose value is the mean of its parts: a subset, a split.
struct PartOf {
    std::string whole;     ///< name of the other task; empty: it is a task by itself
    std::string part;      ///< "en/test"
    std::size_t parts = 0; ///< that the whole has; 0: not known

    /// What a task may be called: its name; of a part also its whole, and "WHOLE/PART".
    [[nodiscard]] std::vector<std::string> names(const std::string& task) const;
};

/// A task whose value is the mean of others, by their names.
struct MeanOfTasks {
    std::string name;
    std::vector<std::string> tasks;
};

struct TaskRecord {
    std::string name;
    std::string protocol; ///< one line: what is done with the embeddings
    std::string headline; ///< path of the metric that tables show
    std::vector<Metric> metrics;
    base::Json description; ///< of a task from a run file; else null

    /// Throws base::Error where it is not described.
    [[nodiscard]] const Metric& headline_metric() const;
    [[nodiscard]] bool is_own() const { return !description.is_null(); }
    /// What its [[task]] says that it is of MTEB's (`task`, `subset`, `split`, ...), null where nothing.
    [[nodiscard]] base::Json of_mteb(const std::string& fact) const;
    [[nodiscard]] PartOf part_of() const;
};

/// Protocol of the task, and its settings.
struct Protocol {
    int version = 0;
    base::Json settings = base::Json::object(); ///< all that the numbers depend on
    std::string fingerprint;                    ///< of task, version and settings
    bool deterministic = false; ///< something is trained, and its seed draws nothing

    /// "nested", "similarity", ...
    [[nodiscard]] std::string kind() const { return settings.value("protocol", ""); }
    /// Seed of classifier and folds; nothing where the task trains nothing.
    [[nodiscard]] std::optional<std::uint64_t> seed() const;
    [[nodiscard]] base::Json settings_without_seed() const;
    /// Whether a convex classifier is solved on items that no seed chooses: what `deterministic` says.
    [[nodiscard]] bool draws_nothing() const;
    /// Whether each test item is judged by the classifier of its fold.
    [[nodiscard]] bool tests_in_folds() const { return kind() == "inner_kfold"; }
    /// Number of the half of the training part that was learned from; 0: the whole.
    [[nodiscard]] std::uint64_t resample() const { return count("resample"); }
    /// Items of each part; 0: all.
    [[nodiscard]] std::size_t limit() const { return count("limit"); }
    /// Clusterings of each level; 0: there are no levels.
    [[nodiscard]] std::size_t clusterings() const { return count("clusterings"); }
    [[nodiscard]] std::string similarity() const { return settings.value("similarity", "cosine"); }
    [[nodiscard]] bool is_of_mteb() const { return settings.contains("mteb"); }
    [[nodiscard]] std::string classifier() const;    ///< empty: none
    [[nodiscard]] std::string normalisation() const; ///< empty: none, or chosen between several
    /// "@50 random", "@64:16 words" (chunks of documents) or, of a variant, "128:int8"; empty: the vectors are as they are.
    [[nodiscard]] std::string projection() const;

private:
    [[nodiscard]] std::size_t count(const char* key) const
    {
        return settings.value(key, std::size_t{0});
    }
};

struct Data {
    base::Json files = base::Json::object(); ///< fingerprints by path below the data folder
    std::vector<std::string> doubts;         ///< why this may not be the published data
    std::vector<std::string> accepted;       ///< data warnings that the user accepted
};

/// Test items with a sentence that the encoder was trained on.
struct Overlap {
    std::size_t items = 0;
    std::size_t of = 0;
    friend bool operator==(const Overlap&, const Overlap&) = default;
};

/// The place that a value would have among the systems of a shared task.
struct Place {
    double median = 0;
    double upper_quartile = 0;
    double best = 0;
    std::string place;
    friend bool operator==(const Place&, const Place&) = default;
};

struct Standing {
    std::string source;
    std::vector<std::pair<std::string, Place>> places; ///< by path of the metric
    Overlap overlap;
    friend bool operator==(const Standing&, const Standing&) = default;
};

/// Words of the task that the encoder knows: as they occur (tokens), and different ones (types).
struct Coverage {
    std::uint64_t tokens = 0;
    std::uint64_t tokens_known = 0;
    std::uint64_t types = 0;
    std::uint64_t types_known = 0;
    friend bool operator==(const Coverage&, const Coverage&) = default;
};

struct Computer {
    std::string compiler;
    std::string abi;  ///< of encoders
    std::string blas; ///< library, version, kernels
    std::string processor;
};

/// Facts of a run that may differ between equal results. Imported results have none.
struct RunRecord {
    std::string date;                                       ///< "2024-05-01T12:00:00Z"
    std::map<std::string, double> seconds = {{"total", 0}}; ///< by phase, and "total"
    unsigned threads = 0;
    std::string kernels;
    std::optional<std::size_t> sentences_encoded;
    std::optional<std::size_t> sentences_from_cache;
    std::optional<double> ms_a_query; ///< milliseconds that a search takes, all its steps together
    bool shared_folds = false;
    std::string machine; ///< operating system
    Computer computer;
    std::vector<std::string> warnings; ///< of the encoder

    [[nodiscard]] double total_seconds() const { return seconds.at("total"); }
};

/// The file of a result that another program computed.
struct Imported {
    std::string file;
    std::string fingerprint;
    friend bool operator==(const Imported&, const Imported&) = default;
};

/// Why a number may not be what the encoder is worth: it has no verdict until the cause is mended.
struct Caution {
    std::string code; ///< "too-few-steps", "unconverged"
    std::string text;
    std::string mend; ///< options of `senteval run`
    friend bool operator==(const Caution&, const Caution&) = default;
};

/// The link from a stored document to the outcomes of its test items.
struct OutcomesRecord {
    std::string file;
    std::size_t count = 0;
    std::string fingerprint;
    std::string findings; ///< of the document itself
    friend bool operator==(const OutcomesRecord&, const OutcomesRecord&) = default;
};

struct Result {
    std::string schema{result_schema};
    std::string program;
    std::optional<Imported> imported;
    EncoderRecord encoder;
    TaskRecord task;
    Protocol protocol;
    Data data;
    Overlap overlap;
    std::size_t dimension = 0;  ///< of the vectors that were scored; 0: that of the encoder
    std::optional<double> norm; ///< root mean square of their lengths
    base::Json metrics = base::Json::object(); ///< the original's keys and nesting
    base::Json details = base::Json::object(); ///< how the metrics came about
    std::optional<Coverage> coverage;
    RunRecord run;
    std::vector<Caution> cautions;
    std::string uninformative; ///< why the numbers say nothing about the encoder; empty: they do
    std::optional<Standing> standing;
    OutcomesRecord outcomes;

    /// Value of the metric that tables show; nothing where it has none. Throws where it is not described.
    [[nodiscard]] std::optional<double> headline() const
    {
        return task.headline_metric().value_in(metrics);
    }

    /// Dimension of the scored vectors, 0 where it is not known, and the bytes of one.
    [[nodiscard]] std::size_t scored_dimension() const
    {
        return dimension > 0 ? dimension : encoder.dimension;
    }
    [[nodiscard]] std::size_t bytes_of_vector() const;

    /// Items that its classifier was trained on; 0: not known.
    [[nodiscard]] std::size_t trained_on() const
    {
        return details.value("trained_on", std::size_t{0});
    }
    /// Queries that an imported search says nothing of.
    [[nodiscard]] std::size_t queries_not_ranked() const
    {
        return details.value("queries_not_ranked", std::size_t{0});
    }
    /// Warnings of the protocol.
    [[nodiscard]] std::vector<std::string> warnings() const
    {
        return details.value("warnings", std::vector<std::string>());
    }

    /// The settings of the protocol that somebody chose: without seed and half, without what was done to the vectors,
    /// and with the similarity "none" where that is what the encoder states, or the cosine.
    [[nodiscard]] base::Json choices() const;
};

/// Cost of an encoder on a computer: sentences per second, and memory.
struct Cost {
    std::string schema = "senteval-cost/1";
    std::string program;
    Identity encoder;  ///< label, id and fingerprint
    std::string where; ///< "AMD EPYC 9R14, 2 processors"
    unsigned threads = 0;
    // Measurements; 0: not known.
    std::size_t sentences = 0;
    std::size_t batch_size = 0;
    std::size_t dimension = 0;
    double seconds_to_start = 0;
    double seconds_of_first_call = 0;
    double sentences_per_second = 0;
    double sentences_per_processor_second = 0;
    std::uint64_t peak_bytes = 0;
    std::string date;
    Computer computer;
};

base::Json to_json(const Result& result);
base::Json to_json(const Cost& cost);
base::Json to_json(const Place& place);
base::Json to_json(const std::vector<Metric>& metrics);

/// Throws base::Error for anything that to_json() does not write.
std::vector<Metric> metrics_from_json(const base::Json& json);

/// Throws base::Error where a metric has a value outside of its range.
void require_possible(const Result& result);

/// Throws base::Error for a document of another version, one that is not made as its schema says or has a metric that
/// cannot be, or, where it is of a stored result, one whose findings were edited since.
Result from_json(const base::Json& document);

/// Throws base::Error for what is no whole measurement, with numbers that can be.
Cost cost_from_json(const base::Json& document);

/// The fingerprint of a document but for schema, program, run, outcomes and the encoder's label and since, numbers by
/// value.
std::string fingerprint_of_findings(const base::Json& document);

/// What a protocol warned of where the data is not the published set, on which SentEval's own ways are to be seen.
std::vector<Caution> cautions_of(const Result& result);

/// Whether two results were made from the same encoder, protocol and data, show the same metric, and in the same batches
/// where these matter.
bool same_input(const Result& a, const Result& b);

/// The loss where the result replaces the stored one of the same path; empty where that is an earlier run on the same
/// data.
std::string lost_with(const Result& stored, const Result& result);

} // namespace senteval::results
