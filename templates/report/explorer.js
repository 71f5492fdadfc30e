// The explorer shows numbers that the page holds already: it looks them up and computes none.
(() => {
  "use strict";
  const get = (id) => document.getElementById(id);
  const all = (query) => [...document.querySelectorAll(query)];
  const source = get("facts").textContent;
  const facts = JSON.parse(source);
  const follow = (path) => path.split(".").reduce((tree, step) => tree[step], facts);
  const show = {
    count: (n) => (n < 1e4 ? `${n}` : n.toLocaleString("en-US")),
    tenths: (n) => (n === null ? "–" : n > 1000 ? "> 99.9%" : n < 0 ? "< 0.1%" : `${(n / 10).toFixed(1)}%`),
    text: (words) => words,
    minus: (words) => words.replaceAll("-", "−"),
  };
  document.documentElement.classList.add("js");

  const explore = (marker, threshold, prevalence) => {
    const moving = all("[data-to]");
    const groups = all("[data-marker]");
    const points = () => facts.markers[marker.value].explorer;
    let later;

    const draw = () => {
      const at = { m: marker.value, t: threshold.value, p: prevalence.value };
      for (const item of moving) {
        const path = item.dataset.to.replace(/\{(.)\}/g, (_, name) => at[name]);
        const fact = follow(path);
        item.dataset.path = path;
        if ("value" in item) item.value = JSON.stringify(fact);
        item.textContent = show[item.dataset.as](fact);
      }
      for (const group of groups) {
        const mine = group.dataset.marker === at.m;
        group.setAttribute("display", mine ? "inline" : "none");
        if (!mine) continue;
        const [x, y = 0] = ["x", "y"].map((axis) => group.dataset[axis]?.split(" ")[at.t]);
        group.querySelector(".here").setAttribute("transform", `translate(${x} ${y})`);
      }
      threshold.ariaValueText = `${points().sign} ${show.minus(points().threshold[at.t])}`;
      prevalence.ariaValueText = facts.explorer.shown[at.p];
    };
    const go = (m, t, p) => {
      marker.value = m;
      threshold.max = points().threshold.length - 1;
      threshold.value = t;
      prevalence.value = p;
      draw();
    };
    const tell = () => {
      const name = encodeURIComponent(facts.markers[marker.value].name);
      history.replaceState(null, "", `#explore=${name}:${threshold.value}:${prevalence.value}`);
      get("explorer-live").textContent =
        `${get("explorer-state").innerText} ${get("explorer-rates").tBodies[0].innerText}`;
    };
    const move = (t) => {
      go(marker.value, t, prevalence.value);
      clearTimeout(later);
      later = setTimeout(tell, 300);
    };
    const restore = () => {
      const [, name, t, p] = /^#explore=([^:]*):(\d+):(\d+)$/.exec(location.hash) ?? [];
      const m = facts.markers.findIndex((one) => one.explorer && encodeURIComponent(one.name) === name);
      if (m < 0) return;
      go(m, t, p);
      get("explorer").scrollIntoView();
    };
    const pick = ({ currentTarget: svg, clientX, clientY }) => {
      const spot = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
      const { x, y } = svg.querySelector(`[data-marker="${marker.value}"]`).dataset;
      const ys = y?.split(" ");
      const away = x.split(" ").map((at, i) => Math.hypot(at - spot.x, ys ? ys[i] - spot.y : 0));
      move(away.indexOf(Math.min(...away)));
    };

    marker.addEventListener("change", () => move(points().start));
    for (const slider of [threshold, prevalence])
      slider.addEventListener("input", () => move(threshold.value));
    for (const svg of [get("explorer-roc"), get("explorer-classes")]) {
      svg.addEventListener("pointerdown", (event) => {
        svg.setPointerCapture(event.pointerId);
        pick(event);
      });
      svg.addEventListener("pointermove", (event) => event.buttons && pick(event));
      svg.addEventListener("pointerup", () => threshold.focus({ preventScroll: true }));
    }
    addEventListener("hashchange", restore);
    draw();
    restore();
  };
  if (get("explorer")) explore(...["marker", "threshold", "prevalence"].map((one) => get(`explorer-${one}`)));

  const copy = async (text) => { // where the clipboard is closed to the page, its reader copies
    const area = get("to-copy");
    area.hidden = true;
    area.value = text;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      area.hidden = false;
      area.select();
      area.hidden = document.execCommand("copy");
    }
    return area.hidden;
  };
  for (const button of all("[data-copy]"))
    button.addEventListener("click", async () => {
      const { href, defaultValue } = get(button.dataset.copy);
      button.parentElement.append(get("copied"));
      button.parentElement.after(get("to-copy"));
      const done = await copy(href ? decodeURIComponent(href.slice(href.indexOf(",") + 1)) : defaultValue);
      if (done) button.focus();
      get("copied").textContent = done ? "Copied." : "The browser does not let the page copy: the text below is selected, copy it with the keyboard.";
      if (done) setTimeout(() => { get("copied").textContent = ""; }, 3000);
    });
  const quoted = (cell) => (typeof cell === "string" && !cell.endsWith("Infinity") ? `"${cell.replaceAll('"', '""')}"` : cell ?? "");
  get("every-threshold")?.addEventListener("click", ({ currentTarget: link }) => {
    const shown = facts.markers.filter((marker) => marker.every_threshold);
    const names = Object.keys(shown[0].every_threshold.columns);
    const rows = shown.flatMap(({ name, every_threshold: { columns } }) =>
      columns.threshold.map((_, i) => [/^[=+\-@\t\r]/.test(name) ? `'${name}` : name, ...names.map((key) => columns[key][i])]));
    const text = [["marker", ...names], ...rows].map((row) => row.map(quoted).join(",")).join("\n");
    link.href = URL.createObjectURL(new Blob([text, "\n"], { type: "text/csv" }));
  });
  // Every figure can be saved as it is drawn for paper: as SVG, and as PNG with 300 dots an inch.
  const perInch = 100;
  const save = (name, blob) => {
    const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(blob) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const drawn = (svg) => {
    const copy = svg.cloneNode(true);
    const { width, height } = svg.viewBox.baseVal;
    copy.setAttribute("width", `${width / perInch}in`);
    copy.setAttribute("height", `${height / perInch}in`);
    return { text: new XMLSerializer().serializeToString(copy), width, height };
  };
  const dots = async (svg) => {
    const { text, width, height } = drawn(svg);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 3 * width, height: 3 * height });
    const paper = canvas.getContext("2d");
    paper.fillStyle = "#fff";
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  };
  for (const figure of all("figure")) {
    const svg = figure.querySelector("svg.figure:not(.narrow)");
    if (!svg) continue;
    const line = Object.assign(document.createElement("p"), { className: "buttons save" });
    for (const [kind, made] of [
      ["SVG", () => new Blob([drawn(svg).text], { type: "image/svg+xml" })],
      ["PNG", () => dots(svg)],
    ]) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: kind });
      button.setAttribute("aria-label", `Save the figure as ${kind}: ${svg.querySelector("title").textContent}`);
      button.addEventListener("click", async () => save(`${svg.id}.${kind.toLowerCase()}`, await made()));
      line.append(button, " ");
    }
    figure.append(line);
  }
  get("facts-json").addEventListener("click", ({ currentTarget: link }) => {
    link.href = URL.createObjectURL(new Blob([source], { type: "application/json" }));
  });
})();
