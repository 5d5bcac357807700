// Pages of --html in a real browser: tests what no parser can. MHA names the program, CHROMIUM the browser.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const program = process.env.MHA ?? fileURLToPath(new URL("../../build/mha", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "mha-pages-"));
const environment = { ...process.env, XDG_STATE_HOME: join(directory, "state") };

// A page of every kind: scripts, long matrices, a table, text only.
const commands = {
  lesson: ["run"],
  weights: ["weights", "--T", "40", "--full"],
  long: ["rank", "--T", "2000"],
  verify: ["verify"],
  exercise: ["exercise", "4", "--solution"],
};
const pages = {};
let browser;

const mha = args => execFileSync(program, args, { encoding: "utf8", env: environment, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 26 });

before(async () => {
  for (const [name, args] of Object.entries(commands)) {
    pages[name] = join(directory, `${name}.html`);
    mha([...args, "--html", pages[name]]);
  }
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
  });
});

after(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

// Opens a page and passes it on with its console messages and requests.
async function withPage(name, options, look) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on("console", message => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", error => complaints.push(String(error)));
  page.on("request", request => requests.push(request.url()));
  const address = pathToFileURL(pages[name]).href;
  try {
    await page.goto(address);
    await look(page);
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests, [address], "a request leaves the file");
  } finally {
    await context.close();
  }
}

for (const name of Object.keys(commands)) {
  for (const width of [360, 1280]) {
    for (const colorScheme of ["light", "dark"]) {
      test(`${name} at ${width} pixels, ${colorScheme}`, async () => {
        await withPage(name, { viewport: { width, height: 800 }, colorScheme }, async page => {
          const seen = await page.evaluate(() => {
            const wide = [...document.querySelectorAll("body *")].filter(element => {
              const box = element.parentElement.closest(".scroll, svg");
              return !box && element.getBoundingClientRect().right > innerWidth + 0.5 && !element.matches(".skip, .status");
            });
            const boxes = [...document.querySelectorAll(".equation, .command, dl, p, nav")];
            return {
              width: document.documentElement.scrollWidth,
              wide: wide.map(element => element.outerHTML.slice(0, 120)),
              // Content without a scroll box of its own has to fit.
              tight: boxes.filter(box => box.scrollWidth > box.clientWidth + 1 && !box.matches(".status"))
                .map(box => box.outerHTML.slice(0, 120)),
              figures: [...document.querySelectorAll("figure svg")].map(svg => {
                const { width, height } = svg.getBoundingClientRect();
                return Math.min(width, height);
              }),
              // Content wider than its box can be scrolled to: nothing around the box clips it.
              cut: [...document.querySelectorAll("pre, figure svg")].filter(content => {
                const box = content.parentElement;
                return content.getBoundingClientRect().width > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "auto";
              }).map(content => content.outerHTML.slice(0, 120)),
              background: getComputedStyle(document.body).backgroundColor,
            };
          });
          assert.ok(seen.width <= width, `the page is ${seen.width} pixels wide`);
          assert.deepEqual(seen.wide, []);
          assert.deepEqual(seen.tight, []);
          assert.deepEqual(seen.cut, []);
          assert.equal(seen.figures.length, readFileSync(pages[name], "utf8").split("<figure").length - 1);
          for (const size of seen.figures) assert.ok(size > 80, `a figure is ${size} pixels`);
          const light = seen.background.match(/\d+/g).slice(0, 3).every(channel => channel > 128);
          assert.equal(light, colorScheme === "light");
        });
      });

      if (name === "long" && (width > 360 || colorScheme === "dark")) continue;  // many cells, seconds each
      test(`${name} at ${width} pixels, ${colorScheme}: axe finds nothing serious`, async () => {
        await withPage(name, { viewport: { width, height: 800 }, colorScheme }, async page => {
          await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
          const { violations } = await page.evaluate(() => window.axe.run());
          const findings = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
          assert.deepEqual(findings, []);
        });
      });
    }
  }
}

test("the printed blocks are the terminal's bytes, and the commands above them print them", async () => {
  for (const name of Object.keys(commands)) {
    await withPage(name, {}, async page => {
      const shown = await page.evaluate(() => [...document.querySelectorAll(".terminal")].map(terminal => ({
        command: terminal.querySelector(".command code").textContent,
        printed: terminal.querySelector("pre").textContent,
      })));
      assert.ok(shown.length > 0);
      for (const { command, printed } of shown) {
        assert.match(command, /^mha [-a-z0-9 ,.]*$/i);
        assert.equal(printed, mha(command.split(" ").slice(1)), command);
      }
      if (name === "lesson") {
        const whole = mha(["run"]).replace(/^===.*===\n/gm, "");
        assert.equal(shown.map(({ printed }) => printed).join(""), whole);
      }
    });
  }
});

test("a cell's tooltip gives its row, column and value", async () => {
  await withPage("lesson", {}, async page => {
    const tooltips = await page.locator("#figure-1 .cells rect title").allTextContents();
    assert.equal(tooltips.length, 4 * 36);
    const weights = JSON.parse(mha(["weights", "--format", "json"])).results.heads;
    const row = tooltips[6].match(/^row t2, column t1: (.*)$/);
    assert.equal(Number(row[1]), weights[0].A[1][0]);
    // The cell is under the pointer, not the number written on it.
    const answer = await page.evaluate(() => {
      const cell = document.querySelectorAll("#figure-1 .cells rect")[6];
      cell.scrollIntoView({ block: "center" });
      const { x, y, width, height } = cell.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === cell;
    });
    assert.ok(answer);
  });
});

test("a copy button copies the command", async () => {
  await withPage("lesson", { permissions: ["clipboard-read", "clipboard-write"] }, async page => {
    await page.locator(".terminal .command button").first().click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "mha weights");
    assert.equal(await page.locator("[role=status]").textContent(), "Copied mha weights");
  });
});

test("without a script all is there but the buttons", async () => {
  await withPage("lesson", { javaScriptEnabled: false }, async page => {
    assert.equal(await page.locator("button").count(), 0);
    assert.ok(await page.locator("pre").first().isVisible());
  });
});

test("boxes that scroll can be reached and scrolled by the keyboard", async () => {
  await withPage("weights", { viewport: { width: 360, height: 800 } }, async page => {
    const box = page.locator(".terminal .scroll");
    await box.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector(".terminal .scroll").scrollLeft > 0);
  });
});

test("it prints, and paper is light", async () => {
  for (const name of Object.keys(commands)) {
    await withPage(name, { colorScheme: "dark" }, async page => {
      const pdf = await page.pdf({ format: "A4", printBackground: true });
      assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
      assert.ok(pdf.length > 5000);
      await page.emulateMedia({ media: "print" });
      const { backgroundColor, color } = await page.evaluate(() => ({ ...getComputedStyle(document.body) }));
      assert.equal(backgroundColor, "rgb(255, 255, 255)");
      assert.ok(color.match(/\d+/g).every(channel => channel < 64), `the ink is ${color}`);
    });
  }
});

test("labels show as text, whatever they hold", async () => {
  const command = "exercise 1 --check ";
  const hostile = join(directory, "</code></pre><img src=x onerror=alert(1)>&amp;\u202e\x1b[31m.json".replaceAll("/", "\u2215"));
  writeFileSync(hostile, mha(["exercise", "1", "--template"]));
  pages.hostile = join(directory, "hostile.html");
  try {
    mha(["exercise", "1", "--check", hostile, "--html", pages.hostile]);
  } catch (error) {
    assert.equal(error.status, 1, error.stderr);  // the template is no solution
  }
  await withPage("hostile", {}, async page => {
    assert.equal(await page.locator("img").count(), 0);
    const shown = await page.locator(".terminal .command code").textContent();
    assert.ok(shown.startsWith(`mha ${command}'`) && shown.includes("<img src=x onerror=alert(1)>&amp;\uFFFD\uFFFD[31m"), shown);
  });
});

test("it is valid HTML", async () => {
  const jar = require.resolve("vnu-jar/build/dist/vnu.jar");
  const { stderr } = await promisify(execFile)("java", ["-jar", jar, "--errors-only", "--format", "gnu", ...Object.values(pages)])
    .catch(error => error);
  assert.equal(stderr, "");
});
