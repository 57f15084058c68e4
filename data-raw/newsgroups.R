# Makes data/newsgroups.rda, the counts of 1,545 words in the training posts of 20 Newsgroups, and
# data-raw/newsgroups_all.rda, those in all posts, which evidence/ uses.
#
#   Rscript data-raw/newsgroups.R [folder with 20 Newsgroups]
#
# from the top of the package. Without an argument the folder is `20news` in the
# folder that the environment variable LANDMARKER_DATA names, as in the tests,
# and without that ../shared/data/20news. It holds the posts of the "by date"
# version as counts of words, `20news.mtx.gz` (MatrixMarket, posts x words; words
# are runs of 3 to 20 letters of body and subject, in lower case, that occur in
# at least five posts), the words with `stop` for stop words, `vocab_stats.tsv.gz`,
# and the group, number and half of each post, `docs.tsv`.

if (!file.exists("data-raw/newsgroups.R")) {
  stop("Run this script from the top of the package: Rscript data-raw/newsgroups.R", call. = FALSE)
}

given <- commandArgs(trailingOnly = TRUE)
root <- Sys.getenv("LANDMARKER_DATA", "../shared/data")
folder <- if (length(given) > 0) given[1] else file.path(root, "20news")
files <- file.path(folder, c("20news.mtx.gz", "vocab_stats.tsv.gz", "docs.tsv"))
if (!all(file.exists(files))) {
  message(
    "No newsgroups made: ", paste(basename(files[!file.exists(files)]), collapse = " and "),
    " not found in ", folder, ".\n",
    "Name the folder with 20 Newsgroups: Rscript data-raw/newsgroups.R <folder>"
  )
  quit(status = 1)
}

counts <- methods::as(Matrix::readMM(gzfile(files[1])), "CsparseMatrix")
# "na" and "null" are words.
words <- utils::read.delim(gzfile(files[2]), na.strings = character(), quote = "")
posts <- utils::read.delim(files[3], quote = "")
stopifnot(identical(dim(counts), c(nrow(posts), nrow(words))), nrow(posts) == 18846)
stopifnot(identical(as.vector(Matrix::colSums(counts)), as.double(words$tf)))

# The rule. A word stays if it
#   - is no stop word;
#   - is in at least 50 posts: without this rule the encoded binary files of a
#     few posts ("giz", "bhj"), the full names of an address that is repeated in
#     six ("stephanopoulos") and the like would be among the most frequent;
#   - is in at most a third of the posts: above are only "writes" and "article",
#     which news readers put over a quotation;
# and of these the 1,545 most frequent, as many as in the paper. Equals go by
# alphabet, in the order of the file.
in_posts <- diff(counts@p)
stopifnot(identical(in_posts, words$df))
may_stay <- words$stop == 0 & in_posts >= 50 & in_posts <= nrow(posts) / 3
message("Too common: ", paste(words$word[words$stop == 0 & in_posts > nrow(posts) / 3], collapse = " "))
ranked <- order(-words$tf)
chosen <- ranked[may_stay[ranked]][1:1545]
too_rare <- words$stop == 0 & in_posts < 50 & words$tf >= min(words$tf[chosen])
message("Frequent, but in too few posts: ", paste(words$word[too_rare], collapse = " "))

newsgroups <- counts[, chosen]
dimnames(newsgroups) <- list(paste0(posts$group, "/", posts$id), words$word[chosen])
stopifnot(!anyDuplicated(rownames(newsgroups)))

# A post without any of the words has no direction: it would be an error to
# hellinger(), and says nothing.
empty <- Matrix::rowSums(newsgroups) == 0
newsgroups <- newsgroups[!empty, ]
halves <- rle(posts$split[!empty])
message("Posts without a word: ", sum(empty))
message("Posts: ", paste(halves$lengths, halves$values, collapse = ", "))
stopifnot(identical(halves$values, c("train", "test")))

# bzip2 makes a smaller file than xz of this: 1.00 against 1.10 MB.
save_posts <- function(file) {
  save(newsgroups, file = file, version = 2, compress = "bzip2", compression_level = 9)
  message(file, ": ", file.size(file), " bytes")
}
save_posts(file.path("data-raw", "newsgroups_all.rda"))
# All posts would be a fifth of the installed package: every second one of the training posts is in it.
newsgroups <- newsgroups[seq(2, halves$lengths[1], by = 2), ]
stopifnot(all(Matrix::rowSums(newsgroups) > 0))
save_posts(file.path("data", "newsgroups.rda"))
