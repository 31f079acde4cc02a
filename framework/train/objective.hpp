// objective.hpp -- the loss of a batch and its gradient (Wieting et al. 2016, without the penalties),
// on the threads of a team: the margin loss of equation 11, or that of a similarity head on judged
// pairs (similarity_head.hpp).
//
// For a pair (x1, x2) with negatives t1 and t2 the loss is
//
//     [d - cos(x1, x2) + cos(x1, t1)]+ + [d - cos(x1, x2) + cos(x2, t2)]+,
//
// and that of a batch the mean over its pairs. The cosine with a zero vector is 0.
#pragma once

#include "learn/aligned.hpp"
#include "paragram/model/composition.hpp"
#include "train/batch.hpp"
#include "train/columns.hpp"
#include "train/comparison.hpp"
#include "train/kernels.hpp"
#include "train/similarity_head.hpp"
#include "train/team.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::train {

/// Where a sentence's negative example comes from.
enum class Negatives {
    max, ///< the nearest of the batch, but for itself and its partner (equation 12)
    mix  ///< that one, or with probability 1/2 any of the batch
};

inline constexpr std::array<std::pair<std::string_view, Negatives>, 2> negatives_names{{
    {"max", Negatives::max},
    {"mix", Negatives::mix},
}};

/// Vectors of all words, row-major.
template <typename T>
struct WordMatrix {
    const T* values = nullptr;
    std::size_t stride = 0;

    [[nodiscard]] const T* row(Word word) const noexcept { return values + word * stride; }
};

/// Single precision trains, double precision is checked against finite differences. Every result is the same on
/// any number of threads.
template <typename T>
class Objective {
public:
    Objective(const paragram::Architecture& architecture,
              double margin,
              Negatives negatives,
              Team& team);
    /// With a similarity head in place of the margin loss.
    Objective(const paragram::Architecture& architecture,
              const SimilarityHead<T>& head,
              Team& team);
    Objective(const Objective&) = delete;
    Objective& operator=(const Objective&) = delete;
    Objective(Objective&&) = delete;
    Objective& operator=(Objective&&) = delete;
    ~Objective();

    /// Makes room for a batch. By one thread, before the members compute it.
    void reserve(const Batch& batch);

    /// Parts of the columns of words' vectors. Where the model is but their mean there are as many as
    /// members: a member computes the same parts of all words, whatever the batch, and they stay in one
    /// processor's cache. Otherwise there is one part, and members share the sentences.
    [[nodiscard]] const std::vector<Columns>& parts() const noexcept { return parts_; }
    [[nodiscard]] bool is_by_parts() const noexcept
    {
        return architecture_.kind == paragram::Kind::word;
    }
    /// Whether it is, and the part is this member's.
    [[nodiscard]] bool owns(unsigned member, std::size_t part) const noexcept
    {
        return is_by_parts() && part % team_.size() == member;
    }

    /// By every member of the team, within Team::run(): loss and gradient of the batch. `coin` decides
    /// the random negatives of mix: another number for each batch. The head's parameters stand behind
    /// those of the model. `words` are the matrices of all parts. Ends with a sync(), but where it is
    /// by parts: then a member has read its own ones, and has their gradient.
    void compute(unsigned member,
                 const Batch& batch,
                 std::span<const WordMatrix<T>> words,
                 std::span<const T> parameters,
                 std::uint64_t coin);

    [[nodiscard]] double loss() const noexcept { return loss_; } ///< of the batch

    /// Mean over pairs of 2 cos(x1, x2) - cos(x1, t1) - cos(x2, t2): how well the pairs are told from
    /// negatives. 0 with a similarity head.
    [[nodiscard]] double separation() const noexcept { return separation_; }

    /// The gradient with respect to a part of the vectors of batch.words[first], ...,
    /// batch.words[last - 1], to rows of `stride`. After compute(), by any thread, or by the one whose
    /// part it is.
    void word_gradients(const Batch& batch,
                        std::size_t first,
                        std::size_t last,
                        std::size_t part,
                        T* out,
                        std::size_t stride) const;

    /// That with respect to the parameters [first, last) of the model and the head, to `out`. After
    /// compute(), by any thread.
    void parameter_gradient(const Batch& batch, std::size_t first, std::size_t last, T* out) const;

private:
    Objective(const paragram::Architecture& architecture,
              double margin,
              Negatives negatives,
              Team& team,
              std::size_t parts);

    struct Work;  ///< of a shard
    struct Terms; ///< of the loss, as a member needs them

    /// Sentences [first, last).
    struct Sentences {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };

    void find_loss(unsigned member,
                   const Batch& batch,
                   std::span<const T> parameters,
                   std::uint64_t coin);
    void embed_shard(unsigned member,
                     const Batch& batch,
                     std::size_t number,
                     const WordMatrix<T>& words,
                     std::span<const T> parameters);
    void read_tokens(const Batch& batch,
                     const Shard& shard,
                     const WordMatrix<T>& words,
                     T* inputs) const;
    void read_means(unsigned member,
                    const Batch& batch,
                    const Sentences& some,
                    const WordMatrix<T>& words,
                    std::size_t part,
                    T* means,
                    std::size_t stride) const;
    void find_terms(const Batch& batch, std::uint64_t coin, Terms& terms) const;
    [[nodiscard]] OtherSentence<T>
    negative_of(const Batch& batch, std::uint32_t sentence, std::uint64_t coin) const;
    void backward(unsigned member,
                  const Batch& batch,
                  std::size_t number,
                  std::span<const T> parameters);
    void list_pulls(unsigned member, const Batch& batch, const Sentences& some);
    void list_pulls_of(const Batch& batch, std::uint32_t sentence, Terms& terms) const;
    void pull(unsigned member,
              const Sentences& some,
              const Columns& columns,
              T* gradient,
              std::size_t stride) const;
    [[nodiscard]] std::size_t stride_of(std::size_t part) const noexcept
    {
        return is_by_parts() ? parts_[part].count() : architecture_.inputs;
    }
    void sum_loss(const Batch& batch, const Terms& terms);
    void compute_head(const Batch& batch, std::span<const T> parameters);

    const Kernels<T>& kernels_ = kernels<T>();
    paragram::Architecture architecture_;
    T margin_;
    Negatives negatives_;
    Team& team_;
    std::vector<Columns> parts_;
    Comparison<T> comparison_;
    std::vector<std::unique_ptr<Work>> work_;
    std::vector<std::unique_ptr<Terms>> terms_;          ///< of each member
    learn::AlignedVector<T> inputs_;                     ///< by slot
    std::vector<learn::AlignedVector<T>> slot_gradient_; ///< of each part, by slot
    std::optional<SimilarityHead<T>> head_;
    std::vector<T> head_gradient_; ///< with respect to its parameters
    learn::AlignedVector<T>
        sentence_gradient_; ///< the head's, with respect to the sentence vectors
    double loss_ = 0;
    double separation_ = 0;
};

extern template class Objective<float>;
extern template class Objective<double>;

} // namespace senteval::train
