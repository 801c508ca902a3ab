cask "trammel" do
  arch arm: "arm64", intel: "amd64"
  os macos: "darwin", linux: "linux"

  version "{{.Version}}"
  sha256 arm:          "{{sum "darwin/arm64"}}",
         intel:        "{{sum "darwin/amd64"}}",
         arm64_linux:  "{{sum "linux/arm64"}}",
         x86_64_linux: "{{sum "linux/amd64"}}"

  url "{{about.URL}}/releases/download/v#{version}/trammel_#{version}_#{os}_#{arch}.tar.gz"
  name "Trammel"
  desc "{{capital about.Summary}}"
  homepage "{{about.URL}}"

  binary "trammel"
  binary "trammel-hook"
{{- range .Pages}}
  manpage "man/{{.}}"
{{- end}}
  bash_completion "completions/trammel.bash"
  zsh_completion "completions/_trammel"
  fish_completion "completions/trammel.fish"

  # The programs are not notarized; the checksum above vouches for them.
  postflight do
    if OS.mac?
      system_command "/usr/bin/xattr",
                     args: ["-d", "com.apple.quarantine", "#{staged_path}/trammel", "#{staged_path}/trammel-hook"],
                     must_succeed: false
    end
  end
end
