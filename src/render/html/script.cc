#include "render/html/script.h"

namespace mha::render {

std::string_view page_script() {
  return R"(
"use strict";
{
  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("role", "status");
  document.querySelector("footer").append(said);
  const select = code => getSelection().selectAllChildren(code);
  for (const code of document.querySelectorAll(".command code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy " + code.textContent);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
        said.textContent = "Copied " + code.textContent;
      } catch {
        select(code);
        button.textContent = "Selected";
        said.textContent = "Selected " + code.textContent;
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    code.after(button);
  }
}
)";
}

std::string_view page_script_hash() { return "o+OZDtfZZP1sg/gHO0hGBIOOAopNqvZmAnIhYtVuNbU="; }

}  // namespace mha::render
