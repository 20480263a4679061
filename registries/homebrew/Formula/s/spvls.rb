class Spvls < Formula
  include Language::Python::Virtualenv

  desc "Language server, linter, assembler and validator for SPIR-V"
  homepage "@REPOSITORY@"
  url "https://files.pythonhosted.org/packages/source/s/spvls/spvls-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "python@3.14"

@RESOURCES@
  def install
    virtualenv_install_with_resources
    man1.install_symlink libexec/"share/man/man1/spvls.1"
    bash_completion.install_symlink libexec/"share/bash-completion/completions/spvls"
    fish_completion.install_symlink libexec/"share/fish/vendor_completions.d/spvls.fish"
    zsh_completion.install_symlink libexec/"share/zsh/site-functions/_spvls"
  end

  test do
    (testpath/"a.spvasm").write <<~SPIRV
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      %void = OpTypeViod
    SPIRV
    assert_match "syntax/unknown-opcode", shell_output("#{bin}/spvls lint a.spvasm", 1)
    system bin/"spvls", "lint", "--fix", "a.spvasm"
  end
end
