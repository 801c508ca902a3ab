package varnames

import "testing"

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"NOTE": true, "RELEASE_NOTES": true, "ERROR_HOOK": false, "HELP_COMMAND": false,
		"PROMPT_COMMAND": true, "BUILD_STEP": false} {
		if Message(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	for name, want := range map[string][2]bool{"GST_PLUGIN_PATH": {true, true}, "TF_PLUGIN_CACHE_DIR": {}, "SUDO_ASKPASS": {false, true},
		"TMPDIR": {}, "CARGO_BUILD_RUSTC": {false, true}, "PYTHONBREAKPOINT": {false, true}, "PIP_CACHE_DIR": {}, "LD_PRELOAD": {}} {
		if folder, ok := Loads(name); folder != want[0] || ok != want[1] {
			t.Errorf("%s: %v, %v", name, folder, ok)
		}
	}
}
