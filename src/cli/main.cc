#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/threads.h"
#include "cli/progress.h"
#include "cli/request.h"
#include "cli/standard_output.h"
#include "render/json.h"
#include "render/text.h"
#include "report/report.h"

namespace {

enum Status { kDone = 0, kFailed = 1, kWrongRequest = 2 };

int complain(const std::string& message, Status status) {
  std::fprintf(stderr, "mha: %s\n", message.c_str());
  return status;
}

bool all_ok(const mha::report::Document& document) {
  const auto* report = std::get_if<mha::report::Report>(&document);
  return report == nullptr || report->ok;
}

int run(const std::vector<std::string>& arguments) {
  mha::cli::StandardOutput output;
  const mha::cli::Request request = mha::cli::read_request(arguments);
  if (!request.work) {
    output.stream() << request.text;
    output.finish();
    return kDone;
  }
  mha::attention::set_threads(request.threads);
  mha::cli::ProgressLine progress;
  const mha::report::Document document = request.work();
  progress.make_way();
  const int status = all_ok(document) ? kDone : kFailed;
  try {
    if (request.format == "json") {
      mha::render::json(document, output.stream());
    } else {
      mha::render::text(document, request.full, output.stream());
    }
    output.finish();
  } catch (const mha::cli::ClosedPipe&) {
    // The reader left; a failed check stays failed.
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const mha::cli::ClosedPipe&) {
    return kDone;
  } catch (const std::invalid_argument& e) {
    return complain(e.what(), kWrongRequest);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", kFailed);
  } catch (const std::exception& e) {
    return complain(e.what(), kFailed);
  }
}
