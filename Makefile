# Wraps CMake so that two commands are enough: `make lesson-09` and `make test`.
BUILD := build
PREFIX ?= /usr/local
# Not every shell replaces a ~ that stands after PREFIX=.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(patsubst ~,$(HOME),$(PREFIX)))
JOBS := $(shell nproc)
FUZZ_SECONDS ?= 60
MAKEFLAGS += --no-print-directory
# Git refuses a tree of another owner, as one that is mounted into a container may be.
GIT := git -c safe.directory='*'

BUILD_PACKAGES := g++ cmake libcli11-dev libeigen3-dev libfmt-dev libhwy-dev nlohmann-json3-dev zlib1g-dev
# Shells that are missing and whose completion is to be tested: zsh, fish.
SHELLS ?=
TEST_PACKAGES := $(BUILD_PACKAGES) $(SHELLS) libgtest-dev libexpat1-dev locales python3-numpy groff-base
BENCH_PACKAGES := $(BUILD_PACKAGES) libbenchmark-dev
FUZZ_PACKAGES := $(BUILD_PACKAGES) clang libclang-rt-dev
LINT_PACKAGES := $(TEST_PACKAGES) clang-format clang-tidy cppcheck
MUTANTS_PACKAGES := $(TEST_PACKAGES) python3

SOURCES := CMakeLists.txt $(shell find src lessons -name '*.cc' -o -name '*.h')

# $(call need,PACKAGES): installs with apt what is missing, saying so; silent when nothing is. A system
# without dpkg is left alone: there CMake says what it does not find.
define need
@command -v dpkg-query > /dev/null || exit 0; \
missing=''; \
for p in $(1); do \
  dpkg-query -W -f='$${db:Status-Abbrev}' $$p 2> /dev/null | grep -q '^.i' || missing="$$missing $$p"; \
done; \
[ -n "$$missing" ] || exit 0; \
if [ "$$(id -u)" = 0 ]; then sudo=''; \
elif command -v sudo > /dev/null; then sudo='sudo'; \
else echo "missing packages, and neither root nor sudo to install them; ask for: apt-get install$$missing" >&2; exit 1; fi; \
echo "Installing with apt:$$missing"; \
$$sudo apt-get update -qq && \
$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing > /dev/null
endef

# $(call unless,PROGRAM,PACKAGE): the package if the program is not there, wherever it came from. The `:` is for
# a shell, which alone knows `command`.
unless = $(if $(shell command -v $(1) || :),,$(2))

# $(call build,DIRECTORY,CMAKE OPTIONS,TARGET,CPU SECONDS): the seconds of one core that a first build takes, to say
# before it starts how long it will be.
define build
@test -f $(1)/CMakeCache.txt || echo "Compiling $(3) in $(1): about $$((($(4) / $(JOBS) + 15) / 10 * 10)) seconds on $(JOBS) cores"
@cmake -S . -B $(1) --log-level=WARNING $(2) > /dev/null
@cmake --build $(1) -j $(JOBS) --target $(3)
endef

.PHONY: lesson-09 test browser-test build bench golden asan fuzz mutants lint format install uninstall clean help
.DEFAULT_GOAL := help

lesson-09: $(BUILD)/mha ## run lesson 09: every script, number and figure, and one page of it all (in build/lesson-09)
	@$(BUILD)/mha run --svg $(BUILD)/lesson-09 --html $(BUILD)/lesson-09/lesson.html
	@echo 'Next: open $(BUILD)/lesson-09/lesson.html; try $(BUILD)/mha concat --T 6, $(BUILD)/mha exercise' >&2

build: $(BUILD)/mha ## build the program, build/mha

$(BUILD)/mha: $(SOURCES)
	$(call need,$(BUILD_PACKAGES))
	$(call build,$(BUILD),,mha,120)
	@touch $@

test: ## build and run every test
	$(call need,$(TEST_PACKAGES))
	$(call build,$(BUILD),-DMHA_TESTS=ON,all,270)
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

browser-test: $(BUILD)/mha ## drive the pages of --html in Chromium: phone and desktop, light and dark, axe, valid HTML
	$(call need,$(call unless,chromium,chromium) $(call unless,node,nodejs) $(call unless,npm,npm) \
	  $(call unless,java,default-jre-headless))
	@cd tests/browser && { cmp -s package-lock.json node_modules/installed.json || \
	  { npm ci --silent && cp package-lock.json node_modules/installed.json; }; }
	@MHA=$(abspath $(BUILD)/mha) node --test --test-reporter=spec tests/browser/

bench: ## time the kernel's parts, for every instruction set of this processor (build/tests/bench/mha_bench)
	$(call need,$(BENCH_PACKAGES))
	$(call build,$(BUILD),-DMHA_BENCH=ON,mha_bench,130)
	@$(BUILD)/tests/bench/mha_bench $(BENCH_ARGS)

golden: ## rewrite the golden files from what the program prints; read the difference before you commit it
	@if [ -n "$$CI" ]; then echo "make golden: refused, CI is set: goldens are rewritten by hand and read" >&2; exit 1; fi
	$(call need,$(TEST_PACKAGES))
	$(call build,$(BUILD),-DMHA_TESTS=ON,all,270)
	@MHA_REWRITE_GOLDENS=1 $(BUILD)/tests/mha_tests --gtest_brief=1 --gtest_filter='*Golden*'
	@$(GIT) status --short golden

asan: ## every test under AddressSanitizer and UndefinedBehaviorSanitizer, unoptimised (build-asan)
	$(call need,$(TEST_PACKAGES))
	$(call build,build-asan,-DMHA_TESTS=ON -DMHA_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_COMPILE_WARNING_AS_ERROR=ON,all,530)
	@ctest --test-dir build-asan --output-on-failure -j $(JOBS)

# What is found new stays in build-fuzz/corpus; what breaks a reader in build-fuzz/FORMAT-crash-….
fuzz: ## fuzz the readers of a person's own arrays, FUZZ_SECONDS (60) each (build-fuzz)
	$(call need,$(FUZZ_PACKAGES))
	$(call build,build-fuzz,-DMHA_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++,mha_fuzz,120)
	@printf '%s\n' json npy npz safetensors | xargs -P $(JOBS) -I FORMAT sh -c '\
	  cd build-fuzz && mkdir -p corpus/FORMAT && \
	  if tests/fuzz/FORMAT_fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 \
	    -artifact_prefix=FORMAT- corpus/FORMAT ../tests/fuzz/corpus/FORMAT > FORMAT.log 2>&1; \
	  then echo "FORMAT: $$(tail -n 1 FORMAT.log)"; else tail -n 60 FORMAT.log >&2; exit 1; fi'

mutants: ## break the code on purpose, once for each fault of tests/mutants; fails if a fault turns no test red
	$(call need,$(MUTANTS_PACKAGES))
	@python3 -B tests/mutants/mutants.py $(MUTANT)

lint: ## clang-format, cppcheck and clang-tidy, as CI asks
	$(call need,$(LINT_PACKAGES))
	@$(GIT) ls-files '*.cc' '*.h' | xargs clang-format --dry-run --Werror
	@cppcheck --enable=warning,performance,portability --error-exitcode=1 --std=c++20 --language=c++ \
	  --quiet -j $(JOBS) -I src -I . src lessons
	@cmake -S . -B build-lint --log-level=WARNING -DMHA_TESTS=ON -DMHA_TOGETHER=OFF \
	  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > /dev/null
	@$(GIT) ls-files 'src/*.cc' 'lessons/*.cc' | xargs -P $(JOBS) -n 4 clang-tidy -p build-lint --quiet \
	  2> build-lint/lint.log || { cat build-lint/lint.log >&2; exit 1; }

format: ## lay out the code with clang-format
	$(call need,clang-format)
	@$(GIT) ls-files -co --exclude-standard '*.cc' '*.h' | xargs clang-format -i

install: $(BUILD)/mha ## install under PREFIX (/usr/local); DESTDIR is honoured
	@cmake --install $(BUILD) --prefix "$(PREFIX)"
	@rm -f $(BUILD)/install_manifest.txt # root's would stand in the way of a user's next install

# CMake writes the list of files when it configures: the manifest of an installation is only the last one's.
uninstall: ## remove what install put under PREFIX (/usr/local); DESTDIR is honoured
	@test -f $(BUILD)/installed/files || { echo 'make uninstall: nothing was built here; make build first' >&2; exit 1; }
	@removed=''; while read -r file; do \
	  path="$(DESTDIR)$(PREFIX)/$$file"; \
	  if [ -e "$$path" ]; then rm -f "$$path" || exit 1; removed=yes; echo "removed $$path"; fi; \
	done < $(BUILD)/installed/files; \
	[ -n "$$removed" ] || { echo 'make uninstall: nothing is installed under $(DESTDIR)$(PREFIX)' >&2; exit 1; }

clean: ## remove what was built
	@rm -rf $(BUILD) build-asan build-dev build-fuzz build-lint build-mutants

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
