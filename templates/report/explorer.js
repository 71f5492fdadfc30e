// The explorer shows numbers that the page holds already: it looks them up and computes none.
(() => {
  "use strict";
  const get = (id) => document.getElementById(id);
  const all = (query, root = document) => [...root.querySelectorAll(query)];
  const source = get("facts").textContent;
  const facts = JSON.parse(source);
  document.documentElement.classList.add("js");

  const percent = (n) =>
    n === null ? "–" : n > 1000 ? "> 99.9%" : n < 0 ? "< 0.1%" : `${Math.floor(n / 10)}.${n % 10}%`;
  const show = { tenths: percent, count: (n) => (n < 1e4 ? `${n}` : n.toLocaleString("en-US")), text: (words) => words };
  const follow = (path) => path.split(".").reduce((tree, step) => tree[step], facts);

  const explore = () => {
    const marker = get("explorer-marker");
    const threshold = get("explorer-threshold");
    const prevalence = get("explorer-prevalence");
    const parts = ["explorer-roc", "explorer-classes"].map((id) => all("[data-marker]", get(id)));
    const moving = all("[data-to]");
    const places = (group, axis) => group.dataset[axis].split(" ");
    const state = { m: +marker.value, t: +threshold.value, p: +prevalence.value };
    const here = () => facts.markers[state.m];
    let later;

    const draw = () => {
      const points = here().explorer;
      marker.value = state.m;
      threshold.max = points.threshold.length - 1;
      threshold.value = state.t;
      prevalence.value = state.p;
      for (const item of moving) {
        const path = item.dataset.to.replace(/\{(.)\}/g, (_, name) => state[name]);
        const fact = follow(path);
        item.dataset.path = path;
        if ("value" in item) item.value = JSON.stringify(fact);
        item.textContent = show[item.dataset.as](fact);
      }
      threshold.setAttribute("aria-valuetext", `${points.sign} ${points.threshold[state.t]}`);
      prevalence.setAttribute("aria-valuetext", facts.explorer.shown[state.p]);
      for (const group of parts.flat()) {
        const mine = +group.dataset.marker === state.m;
        if (!mine) group.setAttribute("display", "none");
        else {
          group.removeAttribute("display");
          const at = places(group, "x")[state.t];
          const point = group.querySelector(".point");
          if (point) {
            point.setAttribute("cx", at);
            point.setAttribute("cy", places(group, "y")[state.t]);
          } else group.querySelector(".cut").setAttribute("transform", `translate(${at} 0)`);
        }
      }
    };

    const move = (change) => {
      Object.assign(state, change);
      draw();
      clearTimeout(later);
      later = setTimeout(() => {
        const name = encodeURIComponent(here().name);
        history.replaceState(null, "", `#explore=${name}:${state.t}:${state.p}`);
        get("explorer-live").textContent =
          `${get("explorer-state").textContent} ${all("tr", get("explorer-rates")).slice(1)
            .map((row) => all("th, td", row).map((cell) => cell.textContent).join(" ")).join("; ")}.`;
      }, 300);
    };

    const restore = () => {
      const found = /^#explore=([^:]*):(\d+):(\d+)$/.exec(location.hash);
      if (!found) return;
      let name;
      try { name = decodeURIComponent(found[1]); } catch { return; }
      const m = facts.markers.findIndex((one) => one.name === name && one.explorer);
      if (m < 0) return;
      const last = facts.markers[m].explorer.threshold.length - 1;
      Object.assign(state, { m, t: Math.min(+found[2], last),
        p: Math.min(+found[3], facts.explorer.prevalences.length - 1) });
      draw();
      get("explorer").scrollIntoView();
    };

    const nearest = (event, groups) => {
      const svg = event.currentTarget;
      const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const group = groups.find((one) => +one.dataset.marker === state.m);
      const xs = places(group, "x");
      const ys = group.dataset.y ? places(group, "y") : null;
      const away = xs.map((x, i) => Math.hypot(x - spot.x, ys ? ys[i] - spot.y : 0));
      return away.indexOf(Math.min(...away));
    };

    marker.addEventListener("change", () =>
      move({ m: +marker.value, t: facts.markers[marker.value].explorer.start }));
    threshold.addEventListener("input", () => move({ t: +threshold.value }));
    prevalence.addEventListener("input", () => move({ p: +prevalence.value }));
    for (const groups of parts) {
      const svg = groups[0].ownerSVGElement;
      const pick = (event) => move({ t: nearest(event, groups) });
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
  if (get("explorer-marker")) explore();

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.body.appendChild(document.createElement("textarea"));
      area.value = text;
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  for (const button of all("[data-copy]"))
    button.addEventListener("click", async () => {
      const from = get(button.dataset.copy);
      await copy(from.href ? decodeURIComponent(from.href.slice(from.href.indexOf(",") + 1)) : from.value);
      get("copied").textContent = "Copied.";
      setTimeout(() => { get("copied").textContent = ""; }, 3000);
    });
  get("facts-json").addEventListener("click", (event) => {
    event.currentTarget.href = URL.createObjectURL(new Blob([source], { type: "application/json" }));
  });

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
})();
