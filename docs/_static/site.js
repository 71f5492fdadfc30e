document.addEventListener("DOMContentLoaded", () => {
  // The theme's switches of the navigation have a picture and no words: say what they do.
  for (const each of document.querySelectorAll(".bd-sidebar-primary summary")) {
    const name = each.closest("li").querySelector("a").textContent.trim();
    each.setAttribute("aria-label", `Pages below ${name}`);
  }
  // The links of the drawings are under their pictures, out of sight.
  for (const each of document.querySelectorAll(".sphx-glr-thumbcontainer a")) {
    each.setAttribute("aria-label", each.textContent.trim());
  }
  // What is wider than the page scrolls, by keys too.
  const reach = () => {
    for (const each of document.querySelectorAll(".bd-article table, .bd-article pre")) {
      if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
      else each.removeAttribute("tabindex");
    }
  };
  reach();
  window.addEventListener("resize", reach);
});
