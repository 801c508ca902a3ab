//go:build dist && unix

package dist_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// works checks a directory into which a package was installed.
func works(t *testing.T, m made, root string) {
	t.Helper()
	for _, name := range []string{"trammel", "trammel-hook"} {
		if out := run(t, root, filepath.Join(root, "usr/bin", name), "--version"); out != name+" "+m.version+"\n" {
			t.Errorf("%s says %q", name, out)
		}
	}
	for _, path := range []string{"etc/trammel/hooks.d", "usr/share/man/man1/trammel.1.gz", "usr/share/man/man1/trammel-hook.1.gz",
		"usr/share/bash-completion/completions/trammel", "usr/share/zsh/vendor-completions/_trammel",
		"usr/share/fish/vendor_completions.d/trammel.fish"} {
		if _, err := os.Stat(filepath.Join(root, path)); err != nil {
			t.Error(err)
		}
	}
}

// TEAM-42: dpkg installs, verifies and removes it.
func TestDpkg(t *testing.T) {
	need(t, "dpkg")
	m, root := release(t), t.TempDir()
	for _, dir := range []string{"updates", "info", "triggers"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"status", "available"} {
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dpkg := []string{"--root=" + root, "--force-script-chrootless"}
	run(t, root, "dpkg", append(dpkg, "-i", m.one(t, "*.deb"))...)
	works(t, m, root)
	if out := run(t, root, "dpkg", append(dpkg, "-V", "trammel")...); out != "" {
		t.Errorf("dpkg -V says %s", out)
	}
	if err := os.WriteFile(filepath.Join(root, "usr/bin/trammel-hook"), []byte("changed"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, _ := try(t, root, "dpkg", append(dpkg, "-V", "trammel")...); !strings.Contains(out, "/usr/bin/trammel-hook") {
		t.Errorf("dpkg -V does not see a changed program: %q", out)
	}
	run(t, root, "dpkg", append(dpkg, "-r", "trammel")...)
	for _, left := range []string{"usr/bin/trammel", "etc/trammel"} {
		if _, err := os.Stat(filepath.Join(root, left)); err == nil {
			t.Errorf("%s is left", left)
		}
	}
}

// TEAM-42: what Debian's own checker calls an error.
func TestLintian(t *testing.T) {
	need(t, "lintian")
	out, _ := try(t, t.TempDir(), "lintian", release(t).one(t, "*.deb"))
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "E: ") && !strings.Contains(line, "statically-linked-binary") { // Go programs are
			t.Error(line)
		}
	}
}

// TEAM-42: rpm lists, installs, verifies and removes it.
func TestRpmProgram(t *testing.T) {
	need(t, "rpm")
	m, root := release(t), t.TempDir()
	file := m.one(t, "*.rpm")
	if out := run(t, root, "rpm", "-qpl", file); !strings.Contains(out, "/usr/bin/trammel-hook\n") || strings.Contains(out, "/usr/bin\n") {
		t.Errorf("rpm -qpl says %s", out)
	}
	if os.Getuid() != 0 {
		t.Skip("needs root for a change of root")
	}
	rpm := []string{"--root", root, "--dbpath", "/var/lib/rpm"}
	run(t, root, "rpm", append(rpm, "-i", "--nodeps", file)...)
	works(t, m, root)
	run(t, root, "rpm", append(rpm, "-V", "--nodeps", "trammel")...)
	if err := os.WriteFile(filepath.Join(root, "usr/bin/trammel-hook"), []byte("changed"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, code := try(t, root, "rpm", append(rpm, "-V", "--nodeps", "trammel")...)
	if code == 0 || !strings.Contains(out, "/usr/bin/trammel-hook") {
		t.Errorf("rpm -V does not see a changed program: %q", out)
	}
	run(t, root, "rpm", append(rpm, "-e", "trammel")...)
}

// TEAM-42: apk installs it; without apk, another reader unpacks it.
func TestApkProgram(t *testing.T) {
	m, root := release(t), t.TempDir()
	file := m.one(t, "*.apk")
	if _, err := exec.LookPath("apk"); err == nil {
		run(t, root, "apk", "--root", root, "--initdb", "--no-network", "--allow-untrusted", "add", file)
	} else {
		run(t, root, "tar", "-xzf", file, "-C", root, "--warning=no-unknown-keyword")
		t.Log("there is no apk here; tar has unpacked it")
	}
	works(t, m, root)
}

// TEAM-44: the image, unpacked, runs as a user without rights, with a home
// that is writable.
func TestImage(t *testing.T) {
	need(t, "chroot", "tar")
	if os.Getuid() != 0 {
		t.Skip("needs root for a change of root")
	}
	m, layout, root := release(t), t.TempDir(), t.TempDir()
	run(t, layout, "tar", "-xf", m.one(t, "*_oci.tar"))
	blobs, err := filepath.Glob(filepath.Join(layout, "blobs/sha256/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, blob := range blobs {
		if data, err := os.ReadFile(blob); err == nil && strings.HasPrefix(string(data), "\x1f\x8b") {
			run(t, root, "tar", "-xzf", blob, "--same-owner")
		}
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	as := []string{"--userspec=65532:65532", root, "/usr/bin/trammel"}
	if out := run(t, root, "chroot", append(as, "--version")...); out != "trammel "+m.version+"\n" {
		t.Errorf("it says %q", out)
	}
	cmd := exec.Command("chroot", "--userspec=65532:65532", root, "/usr/bin/trammel", "man", "/home/trammel/pages")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("it cannot write to its home: %s", out)
	}
	cmd = exec.Command("chroot", "--userspec=65532:65532", root, "/usr/bin/trammel", "man", "/etc/trammel/pages")
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Errorf("it can write to /etc: %s", out)
	}
}
