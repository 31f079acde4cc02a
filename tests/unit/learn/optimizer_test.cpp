#include "learn/optimizer.hpp"

#include "base/error.hpp"
#include "support/support.hpp"

using namespace senteval;
using learn::Method;
using learn::Optimizer;

TEST_CASE("optimisers are named as in the original")
{
    CHECK(Optimizer("adam").method() == Method::adam);
    CHECK(Optimizer("adam").constants(1).epsilon == 1e-8F);
    // The first step moves by the learning rate: rate / (1 - 0.9).
    CHECK(Optimizer("adam").constants(1).rate == doctest::Approx(0.01));
    CHECK(Optimizer("rmsprop").constants(1).rate == 0.01F);
    CHECK(Optimizer("rmsprop,lr=0.5,alpha=0.9").constants(7).rate == 0.5F);
    CHECK(Optimizer("sgd,lr=1e-3").constants(1).rate == 1e-3F);
    CHECK(Optimizer("sgd,lr=+.5,momentum=0.9").constants(2).decay == 0.9F);
    CHECK(Optimizer("adagrad,lr_decay=1").constants(3).rate == doctest::Approx(0.01 / 3));
    CHECK(Optimizer("adagrad,initial_accumulator_value=0.5").initial_square() == 0.5F);
    CHECK(Optimizer("adadelta").constants(1).square_decay == 0.9F);
    CHECK(Optimizer("adamax").constants(1).rate == doctest::Approx(0.02));
    CHECK(Optimizer("asgd").constants(1).rate == 0.01F);
    CHECK(Optimizer("asgd,lr=1,lambd=1").constants(16).rate == 0.125F); // 16 to the power -3/4
    CHECK(Optimizer("asgd,lr=1,lambd=1,alpha=1").constants(4).rate == 0.25F);
    CHECK(Optimizer("rprop,lr=0.5").initial_square() == 0.5F);
}

TEST_CASE("a mistake in the option string is explained")
{
    CHECK_ERROR(base::UsageError,
                "'adma' (there are adadelta, adagrad, adam, adamax, asgd, rmsprop, rprop, sgd). "
                "Did you mean 'adam'",
                Optimizer("adma"));
    CHECK_ERROR(base::UsageError, "sgd needs lr", Optimizer("sgd"));
    CHECK_ERROR(
        base::UsageError,
        "'alhpa' of optimiser rmsprop (there are lr, alpha, eps, momentum). Did you mean 'alpha'",
        Optimizer("rmsprop,alhpa=0.9"));
    CHECK_ERROR(base::UsageError, "'lr=fast'", Optimizer("sgd,lr=fast"));
    CHECK_THROWS_AS(Optimizer("sgd,lr"), base::UsageError);
    CHECK_THROWS_AS(Optimizer("sgd,lr="), base::UsageError);
    CHECK_THROWS_AS(Optimizer("sgd,lr=-1"), base::UsageError);
    CHECK_THROWS_AS(Optimizer("sgd,lr=nan"), base::UsageError);
    CHECK_THROWS_AS(Optimizer("adam,eps=0"), base::UsageError);
    CHECK_THROWS_AS(Optimizer("rmsprop,alpha=2"), base::UsageError);
    CHECK_THROWS_AS(Optimizer("adam,weight_decay=1"), base::UsageError);
    CHECK_THROWS_AS(Optimizer("sgd,lr=1,nesterov=1"), base::UsageError);
    CHECK_THROWS_AS(Optimizer(""), base::UsageError);
}
