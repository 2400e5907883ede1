// Says what a browser says by itself where it loads a whole page: that it waits, and that nobody answered.
"use strict";
const shown = (id) => document.getElementById(id);
document.addEventListener("htmx:before:request", () => shown("main").setAttribute("aria-busy", "true"));
document.addEventListener("htmx:finally:request", () => shown("main").removeAttribute("aria-busy"));
document.addEventListener("htmx:after:request", () => { shown("offline").hidden = true; });
document.addEventListener("htmx:error", () => { shown("offline").hidden = false; });
