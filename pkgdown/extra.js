// "On this page": the headings of the page as a list of links. Where there are none, the list's title goes.
document.addEventListener("DOMContentLoaded", function () {
  var nav = document.getElementById("toc");
  if (!nav) return;
  var list = document.createElement("ul");
  document.querySelectorAll("main h2").forEach(function (heading) {
    var section = heading.closest("[id]");
    var id = heading.id || (section && section.id !== "main" ? section.id : "");
    if (!id || heading.hasAttribute("data-toc-skip")) return;
    var link = document.createElement("a");
    link.href = "#" + id;
    link.textContent = heading.textContent.trim();
    var item = document.createElement("li");
    item.appendChild(link);
    list.appendChild(item);
  });
  if (list.children.length) nav.appendChild(list);
  else nav.remove();
});
