// Answers for the library of the reference tools, many modules a process.
//
// Standard input has requests, standard output one answer each:
//
//   request   OPERATION ENVIRONMENT SIZE [OPTION[=NUMBER[:NUMBER]]…] "\n", then SIZE octets
//   answer    RESULT MESSAGES SIZE "\n", then the messages, then SIZE octets
//   message   LEVEL LINE COLUMN INDEX SIZE [FRAME…] "\n", then SIZE octets
//
// OPERATION is `val` or `dis` (of words in this machine's byte order) or `as` (of a text). RESULT is 1 where the operation
// succeeded, else 0. SIZE octets of an answer are the words of `as` or the text of `dis`. LINE and COLUMN count from 0 and
// are of texts; INDEX is the instruction of a binary, from 1, and 0 where none is named. A FRAME is the address, in
// hexadecimal, of a call that was under way when the message was given, the innermost first: with line tables in the
// library, it names the place in the sources that gives the message.
//
// A request that cannot be understood ends the process with status 2 and a line on standard error.

#include <execinfo.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "spirv-tools/libspirv.hpp"

namespace {

constexpr int kFrames = 16;

[[noreturn]] void Refuse(const std::string& why) {
  std::cerr << "driver: " << why << std::endl;
  std::exit(2);
}

struct Request {
  std::string operation;
  spv_target_env environment = SPV_ENV_UNIVERSAL_1_6;
  std::vector<std::string> options;
  std::string payload;

  std::vector<uint32_t> Words() const {
    std::vector<uint32_t> words(payload.size() / 4);
    std::memcpy(words.data(), payload.data(), words.size() * 4);
    return words;
  }
};

class Answer {
 public:
  spvtools::MessageConsumer Consumer() {
    return [this](spv_message_level_t level, const char*, const spv_position_t& position, const char* text) {
      void* frames[kFrames];
      const int count = backtrace(frames, kFrames);
      messages_ << level << ' ' << position.line << ' ' << position.column << ' ' << position.index << ' '
                << std::strlen(text) << std::hex;
      for (int i = 1; i < count; ++i) messages_ << ' ' << reinterpret_cast<uintptr_t>(frames[i]) - 1;
      messages_ << std::dec << '\n' << text;
      ++count_;
    };
  }

  void Write(bool result, const char* octets, size_t size) const {
    std::ostringstream head;
    head << result << ' ' << count_ << ' ' << size << '\n';
    std::cout << head.str() << messages_.str();
    std::cout.write(octets, static_cast<std::streamsize>(size));
    std::cout.flush();
  }

 private:
  std::ostringstream messages_;
  int count_ = 0;
};

bool ReadRequest(Request* request) {
  std::string line;
  if (!std::getline(std::cin, line)) return false;
  std::istringstream head(line);
  std::string environment;
  size_t size = 0;
  if (!(head >> request->operation >> environment >> size)) Refuse("no request: " + line);
  if (!spvParseTargetEnv(environment.c_str(), &request->environment)) Refuse("no environment: " + environment);
  for (std::string option; head >> option;) request->options.push_back(option);
  request->payload.resize(size);
  if (size != 0 && !std::cin.read(request->payload.data(), static_cast<std::streamsize>(size))) Refuse("cut short");
  return true;
}

using Options = spvtools::ValidatorOptions;

const std::map<std::string, void (Options::*)(bool)> kSwitches = {
    {"before-hlsl-legalization", &Options::SetBeforeHlslLegalization},
    {"relax-logical-pointer", &Options::SetRelaxLogicalPointer},
    {"relax-block-layout", &Options::SetRelaxBlockLayout},
    {"uniform-buffer-standard-layout", &Options::SetUniformBufferStandardLayout},
    {"scalar-block-layout", &Options::SetScalarBlockLayout},
    {"workgroup-scalar-block-layout", &Options::SetWorkgroupScalarBlockLayout},
    {"skip-block-layout", &Options::SetSkipBlockLayout},
    {"relax-struct-store", &Options::SetRelaxStructStore},
    {"allow-localsizeid", &Options::SetAllowLocalSizeId},
    {"allow-offset-texture-operand", &Options::SetAllowOffsetTextureOperand},
    {"allow-vulkan-32-bit-bitwise", &Options::SetAllowVulkan32BitBitwise},
};

const std::map<std::string, void (Options::*)(uint32_t, uint32_t)> kDescriptors = {
    {"buffer-descriptor-layout", &Options::SetBufferDescriptorLayout},
    {"image-descriptor-layout", &Options::SetImageDescriptorLayout},
    {"sampler-descriptor-layout", &Options::SetSamplerDescriptorLayout},
};

const std::map<std::string, spv_validator_limit> kLimits = {
    {"max-struct-members", spv_validator_limit_max_struct_members},
    {"max-struct-depth", spv_validator_limit_max_struct_depth},
    {"max-local-variables", spv_validator_limit_max_local_variables},
    {"max-global-variables", spv_validator_limit_max_global_variables},
    {"max-switch-branches", spv_validator_limit_max_switch_branches},
    {"max-function-args", spv_validator_limit_max_function_args},
    {"max-control-flow-nesting-depth", spv_validator_limit_max_control_flow_nesting_depth},
    {"max-access-chain-indexes", spv_validator_limit_max_access_chain_indexes},
    {"max-id-bound", spv_validator_limit_max_id_bound},
};

const std::map<std::string, uint32_t> kListing = {
    {"color", SPV_BINARY_TO_TEXT_OPTION_COLOR},
    {"indent", SPV_BINARY_TO_TEXT_OPTION_INDENT},
    {"offsets", SPV_BINARY_TO_TEXT_OPTION_SHOW_BYTE_OFFSET},
    {"no-header", SPV_BINARY_TO_TEXT_OPTION_NO_HEADER},
    {"friendly-names", SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES},
    {"comment", SPV_BINARY_TO_TEXT_OPTION_COMMENT},
    {"nested-indent", SPV_BINARY_TO_TEXT_OPTION_NESTED_INDENT},
    {"reorder-blocks", SPV_BINARY_TO_TEXT_OPTION_REORDER_BLOCKS},
    {"handle-unknown-opcodes", SPV_BINARY_TO_TEXT_OPTION_HANDLE_UNKNOWN_OPCODES},
};

void SetOption(Options* options, const std::string& option) {
  const size_t equals = option.find('=');
  const std::string name = option.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
  char* rest = nullptr;
  const uint32_t number = static_cast<uint32_t>(std::strtoul(value.c_str(), &rest, 0));
  if (const auto found = kSwitches.find(name); found != kSwitches.end()) {
    (options->*found->second)(true);
  } else if (const auto limit = kLimits.find(name); limit != kLimits.end()) {
    options->SetUniversalLimit(limit->second, number);
  } else if (const auto layout = kDescriptors.find(name); layout != kDescriptors.end() && *rest == ':') {
    (options->*layout->second)(number, static_cast<uint32_t>(std::strtoul(rest + 1, nullptr, 0)));
  } else {
    Refuse("no option: " + option);
  }
}

// `SpirvTools::Validate` gives the last message, after the check that made it has returned; this gives each at once.
void Validate(const Request& request) {
  Options options;
  options.SetFriendlyNames(false);
  for (const std::string& option : request.options) SetOption(&options, option);
  const std::vector<uint32_t> words = request.Words();
  spv_const_binary_t binary{words.data(), words.size()};
  spvtools::Context context(request.environment);
  Answer answer;
  context.SetMessageConsumer(answer.Consumer());
  answer.Write(spvValidateWithOptions(context.CContext(), options, &binary, nullptr) == SPV_SUCCESS, nullptr, 0);
}

void Assemble(const Request& request) {
  uint32_t flags = SPV_TEXT_TO_BINARY_OPTION_NONE;
  for (const std::string& option : request.options) {
    if (option != "preserve-numeric-ids") Refuse("no option: " + option);
    flags |= SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS;
  }
  spvtools::SpirvTools tools(request.environment);
  Answer answer;
  tools.SetMessageConsumer(answer.Consumer());
  std::vector<uint32_t> words;
  const bool result = tools.Assemble(request.payload, &words, flags);
  answer.Write(result, reinterpret_cast<const char*>(words.data()), words.size() * 4);
}

void Disassemble(const Request& request) {
  uint32_t flags = SPV_BINARY_TO_TEXT_OPTION_NONE;
  for (const std::string& option : request.options) {
    const auto found = kListing.find(option);
    if (found == kListing.end()) Refuse("no option: " + option);
    flags |= found->second;
  }
  spvtools::SpirvTools tools(request.environment);
  Answer answer;
  tools.SetMessageConsumer(answer.Consumer());
  std::string text;
  const bool result = tools.Disassemble(request.Words(), &text, flags);
  answer.Write(result, text.data(), text.size());
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  const std::map<std::string, void (*)(const Request&)> operations = {{"val", Validate}, {"as", Assemble}, {"dis", Disassemble}};
  Request request;
  for (; ReadRequest(&request); request = Request()) {
    const auto found = operations.find(request.operation);
    if (found == operations.end()) Refuse("no operation: " + request.operation);
    found->second(request);
  }
  return 0;
}
