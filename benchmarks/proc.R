# pROC in a process of its own: the protocol of worker.py, in lines of R.
suppressMessages(library(pROC))
cat(sprintf('{"tasks": ["auc", "interval", "paired", "bootstrap"], "version": "%s"}\n',
            as.character(packageVersion("pROC"))))
flush(stdout())
folder <- ""
input <- file("stdin", "r")
quiet <- function(y, s) roc(y, s, levels = c(0, 1), direction = "<", quiet = TRUE)
while (length(line <- readLines(input, 1)) > 0) {
  at <- sub('.*"folder": "([^"]*)".*', "\\1", line)
  task <- sub('.*"task": "([^"]*)".*', "\\1", line)
  if (at != folder) {
    folder <- at
    n <- file.size(file.path(folder, "y.f64")) / 8
    y <- readBin(file.path(folder, "y.f64"), "double", n)
    s <- lapply(0:1, function(k) readBin(file.path(folder, sprintf("s%d.f64", k)), "double", n))
  }
  told <- tryCatch({
    set.seed(1)
    start <- proc.time()
    times <- 0
    spent <- 0
    while (spent < 0.02) { # its clock has milliseconds
      times <- times + 1
      answer <- switch(task,
      auc = as.numeric(auc(quiet(y, s[[1]]))),
      interval = { r <- quiet(y, s[[1]]); ci.auc(r); c(as.numeric(auc(r)), sqrt(var(r))) },
      paired = roc.test(quiet(y, s[[1]]), quiet(y, s[[2]]), method = "delong")$statistic,
      bootstrap = {
        found <- ci.auc(quiet(y, s[[1]]), method = "bootstrap", boot.n = 2000, progress = "none")
        (found[3] - found[1]) / (2 * qnorm(0.975))
      })
      spent <- sum((proc.time() - start)[1:2])
    }
    sprintf('{"seconds": %.6f, "answer": [%s]}', spent / times,
            paste(sprintf("%.17g", as.numeric(answer)), collapse = ", "))
  }, error = function(e) sprintf('{"failed": "%s"}', gsub('["\n]', " ", conditionMessage(e))))
  cat(told, "\n", sep = "")
  flush(stdout())
}
