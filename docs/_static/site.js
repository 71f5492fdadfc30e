// The theme's switches of the navigation have a picture and no words: say what they do.
document.addEventListener("DOMContentLoaded", () => {
  for (const each of document.querySelectorAll(".bd-sidebar-primary summary")) {
    const name = each.closest("li").querySelector("a").textContent.trim();
    each.setAttribute("aria-label", `Pages below ${name}`);
  }
});
