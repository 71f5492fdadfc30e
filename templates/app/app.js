// Small comforts; every page works without them.
"use strict";

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// A file that is dropped, its size, and how much of it is copied.
for (const form of document.querySelectorAll("form.drop")) {
  const file = form.querySelector("input[type=file]");
  const problem = form.querySelector(".problem");
  const bar = form.querySelector(".bar");
  const button = form.querySelector("button");
  const most = Number(form.dataset.most);
  const tooLarge = () => {
    const large = file.files.length && file.files[0].size > most;
    problem.textContent = large
      ? `The file is larger than the ${Math.round(most / 2 ** 20)} MB that may be uploaded; leave out columns that are not analysed, or start the app with a higher limit (--upload).`
      : "";
    return large;
  };
  file.addEventListener("change", tooLarge);
  for (const name of ["dragenter", "dragover"]) {
    form.addEventListener(name, (event) => { event.preventDefault(); form.classList.add("over"); });
  }
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length) {
      file.files = event.dataTransfer.files;
      if (!tooLarge()) form.requestSubmit();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (tooLarge()) return;
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.upload.addEventListener("progress", (sent) => {
      if (sent.lengthComputable) bar.querySelector("progress").value = 100 * sent.loaded / sent.total;
    });
    const failed = (sentence) => { bar.hidden = true; button.disabled = false; problem.textContent = sentence; };
    request.addEventListener("load", () => {
      if (request.status < 400) { location.assign(request.responseURL); return; }
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      failed((page.querySelector(".problem") || page.body).textContent.trim());
    });
    request.addEventListener("error", () => failed("The file could not be copied; is the app still running?"));
    bar.hidden = false;
    button.disabled = true;
    request.send(new FormData(form));
  });
}

// Problems beside the fields, as they are typed; what is filled in is kept on the way.
for (const form of document.querySelectorAll("form[data-check]")) {
  const touched = new Set();
  let asked = 0;
  const show = (problems) => {
    const placed = new Set(["positive"]);
    for (const place of form.querySelectorAll(".problem[id^='problem-']")) {
      let name = place.id.slice("problem-".length);
      if (!name) continue;
      if (place.classList.contains("of-positive")) {
        const chosen = form.querySelector(`input[name=outcome][value="${name.slice("positive-".length)}"]`);
        name = chosen && chosen.checked ? "positive" : null;
      }
      placed.add(name);
      const seen = touched.has(name) || place.textContent !== "";
      const sentence = (seen && problems[name]) || "";
      if (place.textContent !== sentence) place.textContent = sentence;
      const field = form.elements.namedItem(name);
      if (!(field instanceof Element)) continue;
      if (sentence) field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid");
    }
    const loose = Object.keys(problems).filter((name) => !placed.has(name));
    document.getElementById("problem-").textContent = loose.map((name) => problems[name]).join(" ");
  };
  const check = async () => {
    const mine = ++asked;
    await wait(300);
    if (mine !== asked) return;
    try {
      const answer = await fetch(form.dataset.check, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      if (!answer.ok || mine !== asked) return;
      show((await answer.json()).problems);
      document.getElementById("kept").textContent = "What you filled in is kept.";
    } catch {
      document.getElementById("kept").textContent = "The app does not answer; is it still running?";
    }
  };
  form.addEventListener("input", (event) => {
    const name = event.target.name;
    touched.add(name);
    if (name.startsWith("positive:")) touched.add("positive");
    if (name === "aim" || name === "margin") { touched.add("aim"); touched.add("margin"); }
    if (name === "markers") touched.add("versus");
    check();
  });
  const wrong = form.querySelector(".problem:not(:empty)");
  if (wrong) wrong.scrollIntoView({ block: "center" });
  form.addEventListener("submit", () => { form.querySelector(".go button").disabled = true; });
  addEventListener("pageshow", () => { form.querySelector(".go button").disabled = false; });
}

// Work that goes on.
for (const work of document.querySelectorAll("[data-progress]")) {
  (async () => {
    let shown = "";
    for (;;) {
      await wait(500);
      let seen;
      try {
        const answer = await fetch(work.dataset.progress);
        if (!answer.ok) break;
        seen = await answer.json();
      } catch {
        document.getElementById("doing").textContent = "The app does not answer; is it still running?";
        continue;
      }
      if (seen.over) break;
      const doing = seen.stages.at(-1) || (seen.state === "waiting" ? "Waiting for other work to end" : "The work begins");
      if (doing !== shown) {
        shown = doing;
        document.getElementById("doing").textContent = doing;
        document.getElementById("stages").replaceChildren(...seen.stages.map((stage) => {
          const item = document.createElement("li");
          item.textContent = stage;
          return item;
        }));
      }
      document.getElementById("seconds").textContent = seen.seconds;
    }
    location.reload();
  })();
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });
}
