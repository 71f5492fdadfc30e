# Writes multiclass.json: areas of several classes by pROC, with the data they are of.
#
# Run with Rscript from anywhere; needs pROC and MASS. The data are R's iris (Anderson 1935, Fisher
# 1936); the probabilities are those of a linear discriminant analysis of the two sepal columns.

suppressMessages({
  library(pROC)
  library(MASS)
})

species <- as.character(iris$Species)
posterior <- predict(lda(Species ~ Sepal.Length + Sepal.Width, data = iris))$posterior

area <- function(x, ...) as.numeric(suppressMessages(multiclass.roc(species, x, ...))$auc)

univariate <- lapply(iris[1:4], function(x) {
  list(
    auto = area(x), up = area(x, direction = "<", levels = sort(unique(species))),
    down = area(x, direction = ">", levels = sort(unique(species)))
  )
})

# Every pair of classes holds two curves: by the column of either class.
several <- suppressMessages(multiclass.roc(species, posterior))
pairs <- lapply(several$rocs, function(pair) as.numeric(vapply(pair, function(r) auc(r), 0)))

one_against_rest <- lapply(colnames(posterior), function(class) {
  r <- roc(species == class, posterior[, class],
    levels = c(FALSE, TRUE), direction = "<", quiet = TRUE
  )
  list(auc = as.numeric(auc(r)), var = var(r, method = "delong"))
})
names(one_against_rest) <- colnames(posterior)

json <- function(x) {
  if (is.list(x)) {
    inside <- vapply(x, json, "")
    if (is.null(names(x))) {
      return(paste0("[", paste(inside, collapse = ",\n"), "]"))
    }
    return(paste0("{", paste0('"', names(x), '": ', inside, collapse = ",\n"), "}"))
  }
  value <- if (is.character(x)) paste0('"', x, '"') else sprintf("%.17g", x)
  if (length(x) > 1) paste0("[", paste(value, collapse = ", "), "]") else value
}

script <- normalizePath(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
provenance <- list(
  script = "tests/reference/make_multiclass.R", R = as.character(getRversion()),
  pROC = as.character(packageVersion("pROC")), MASS = as.character(packageVersion("MASS")),
  date = format(Sys.Date())
)
writeLines(
  json(list(
    provenance = provenance, species = species, measurements = as.list(iris[1:4]),
    posterior = as.list(as.data.frame(posterior)), univariate = univariate,
    hand_till = as.numeric(several$auc), pairs = pairs, one_against_rest = one_against_rest
  )),
  file.path(dirname(script), "multiclass.json")
)
