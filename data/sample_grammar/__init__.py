"""The grammar behind the sample data: lexicon, meanings, wordings, and one module per dataset family."""
