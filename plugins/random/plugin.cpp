#include "random/borep.hpp"
#include "random/one_hot.hpp"
#include "random/recurrent.hpp"

SENTEVAL_PLUGIN(senteval::random::Borep,
                senteval::random::Lstm,
                senteval::random::Esn,
                senteval::random::OneHot);
