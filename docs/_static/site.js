/* The theme leaves the switches of its lists of pages without a name. */
addEventListener("DOMContentLoaded", () => {
  for (const each of document.querySelectorAll(".bd-sidebar summary, nav summary")) {
    each.setAttribute("aria-label", "Pages below");
  }
});
