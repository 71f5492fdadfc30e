"""The site: ``make docs`` builds it into ``build/site``, without a network."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

HERE = Path(__file__).parent
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
)  # kernels of notebooks run with the code beside the pages
os.environ["PATH"] = os.pathsep.join(
    [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
)  # and with the command of this environment
sys.path[:0] = [str(HERE.parent), str(HERE / "_extensions")]

import rocstats as rs  # noqa: E402

project = "rocstats"
author = "The rocstats developers"
project_copyright = "The rocstats developers, BSD-3-Clause"
version = release = rs.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_nb",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "beside",
]
root_doc = "index"
exclude_patterns = [
    "**/.ipynb_checkpoints",
    "notebooks/*",
    "pictures/*",
    "drawings/*.ipynb",
    "drawings/*.py",
]
default_role = "py:obj"
highlight_language = "python"

# Pages that are made of the code when the site is built, by the script beside them.
MADE = {
    "public_names": "names",
    "commands": "commands",
    "messages": "messages",
    "schemas": "schemas",
}


def made_by(script: str) -> Any:
    """Return the module of a script of ``docs/reference``."""
    spec = importlib.util.spec_from_file_location(script, HERE / "reference" / f"{script}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[script] = module
    spec.loader.exec_module(module)
    return module


for script, name in MADE.items():
    page, text = HERE / "reference" / f"{name}.md", made_by(script).page()
    if not page.is_file() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")

autosummary_generate = True
autosummary_filename_map = sys.modules["public_names"].file_names()
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 4
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE.parent / "build" / "notebooks")
nb_execution_in_temp = True  # what a page writes is not kept
nb_execution_timeout = 240
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True  # what a command prints is one block

sphinx_gallery_conf = {  # docs/pictures/*.py are run, and their pages made in docs/drawings
    "examples_dirs": "pictures",
    "gallery_dirs": "drawings",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "capture_repr": (),
    "download_all_examples": False,
    "write_computation_times": False,
    "min_reported_time": 1000,
    "show_signature": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "rocstats"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sourcelink = False
html_copy_source = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "rocstats"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navbar_end": ["theme-switcher"],
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "collapse_navigation": True,
    "back_to_top_button": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
mathjax_path = "mathjax/tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}


def link_whole_pages(app: Any, doctree: Any) -> None:
    """Let links to pages that are not the site's own, as reports, open them; downloads stay.

    Links to folders of the repository, which are for readers of the files, become plain words.
    """
    here = Path(doctree["source"]).parent
    for node in list(doctree.findall(addnodes.pending_xref)):
        if node.get("reftype") == "myst" and (here / node["reftarget"]).is_dir():
            node.replace_self(node.children)
    for node in list(doctree.findall(addnodes.download_reference)):
        if node["reftarget"].endswith(".html"):
            node.replace_self(
                nodes.reference("", "", *node.children, refuri=node["reftarget"], internal=True)
            )


def end_blocks(app: Any, doctree: Any) -> None:
    """Cut the empty line that ends an example, which doctest needs and a reader does not."""
    for node in doctree.findall(nodes.literal_block):
        if node.rawsource == node.astext() and node.rawsource.endswith("\n"):
            node.rawsource = node.rawsource.rstrip()
            node[:] = [nodes.Text(node.rawsource)]


def copy_whole_pages(app: Any, failure: Exception | None) -> None:
    """Put reports and studies beside the pages that link to them."""
    if failure is None and app.builder.format == "html":
        for folder in ("gallery", "studies"):
            for page in (HERE / folder).rglob("*.html"):
                target = Path(app.outdir) / page.relative_to(HERE)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(page, target)


class FunctionsInTheIndex(SphinxTransform):
    """Let a search for a function of another package find its section before all else."""

    default_priority = 500

    def apply(self) -> None:
        """Add an index entry to every section that is named after a function."""
        if not self.env.docname.startswith("coming_from/"):
            return
        for section in self.document.findall(nodes.section):
            title = section.next_node(nodes.title)
            if len(title.children) == 1 and isinstance(title.children[0], nodes.literal):
                entry = ("single", title.astext(), section["ids"][0], "main", None)
                section.insert(1, addnodes.index(entries=[entry]))


def setup(app: Any) -> None:
    """Connect them, links before sphinx collects downloads."""
    app.add_transform(FunctionsInTheIndex)
    app.connect("doctree-read", link_whole_pages, priority=400)
    app.connect("doctree-read", end_blocks)
    app.connect("build-finished", copy_whole_pages)
