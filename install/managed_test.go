package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TEAM-08: the files for administrators name the program by its path, have the
// locks, and can be read by what reads JSON and TOML.
func TestManaged(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		files, err := Managed(goos, DefaultHook[goos])
		if err != nil || len(files) != 5 {
			t.Fatalf("%s: %v, %d files", goos, err, len(files))
		}
		again, _ := Managed(goos, DefaultHook[goos])
		for i, f := range files {
			if !bytes.Equal(f.Data, again[i].Data) {
				t.Errorf("%s: %s is not the same twice", goos, f.Host)
			}
			if windows := strings.Contains(f.Path, `:\`); windows != (goos == "windows") || !windows && f.Path[0] != '/' {
				t.Errorf("%s: %s is at %s", goos, f.Host, f.Path)
			}
			var all struct {
				Only1 bool           `json:"allowManagedHooksOnly"`
				Only2 bool           `json:"allow_managed_hooks_only"`
				Hooks map[string]any `json:"hooks"`
			}
			data := f.Data
			if strings.HasSuffix(f.Path, ".toml") {
				data = fromTOML(t, f.Data)
			}
			if err := json.Unmarshal(data, &all); err != nil {
				t.Errorf("%s: %s: %v\n%s", goos, f.Host, err, f.Data)
				continue
			}
			if locked := f.Host == "claude-code" || f.Host == "codex"; locked != (all.Only1 || all.Only2) {
				t.Errorf("%s: %s has the lock: %v", goos, f.Host, !locked)
			}
			calls := 0
			for event, value := range all.Hooks {
				if _, settings := value.(string); settings {
					continue
				}
				text, _ := json.Marshal(value)
				plain := strings.ReplaceAll(string(text), `\\`, "/")
				if !strings.Contains(plain, strings.ReplaceAll(DefaultHook[goos], `\`, "/")) || strings.Contains(plain, "--user-config") {
					t.Errorf("%s: %s calls for %s: %s", goos, f.Host, event, text)
				}
				calls++
			}
			if calls == 0 {
				t.Errorf("%s: %s calls nothing", goos, f.Host)
			}
		}
	}
	for goos, hook := range map[string]string{"linux": "trammel-hook", "darwin": "./x", "windows": "/usr/bin/trammel-hook",
		"plan9": "/bin/trammel-hook"} {
		if _, err := Managed(goos, hook); err == nil {
			t.Errorf("%s on %s was taken", hook, goos)
		}
	}
}

// fromTOML has another reader than ours say what is in a file.
func fromTOML(t *testing.T, data []byte) []byte {
	t.Helper()
	cmd := exec.Command("python3", "-c", "import sys,json,tomllib; print(json.dumps(tomllib.loads(sys.stdin.read())))")
	cmd.Stdin = bytes.NewReader(data)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("python3 with tomllib: %v", err)
	}
	return out
}

// TEAM-09: what is for device management decodes to what the files hold.
func TestDeviceManagement(t *testing.T) {
	decode := func(script string, data []byte) []byte {
		cmd := exec.Command("python3", "-c", script)
		cmd.Stdin = bytes.NewReader(data)
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("python3: %v", err)
		}
		return out
	}
	made := map[string][]byte{}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		files, err := Managed(goos, DefaultHook[goos])
		if err != nil {
			t.Fatal(err)
		}
		list, err := DeviceManagement(goos, files)
		if err != nil || len(list) != map[string]int{"linux": 0, "darwin": 1, "windows": 2}[goos] {
			t.Fatalf("%s: %v, %d files", goos, err, len(list))
		}
		again, _ := DeviceManagement(goos, files)
		for i, f := range list {
			made[f.Path] = f.Data
			if !bytes.Equal(f.Data, again[i].Data) {
				t.Errorf("%s is not the same twice", f.Path)
			}
		}
		for _, f := range files {
			made[goos+" "+f.Host] = f.Data
		}
	}
	same := func(what string, a, b []byte) {
		t.Helper()
		var x, y any
		if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil || !reflect.DeepEqual(x, y) {
			t.Errorf("%s: %v\n%s\nis not\n%s", what, err, a, b)
		}
	}
	const profile = "import sys,json,plistlib; c=plistlib.loads(sys.stdin.buffer.read())['PayloadContent']; "
	same("the profile of Claude Code", decode(profile+"print(json.dumps({k:v for k,v in c[0].items() if not k.startswith('Payload')}))",
		made["trammel.mobileconfig"]), made["darwin claude-code"])
	toml := decode(profile+"import base64; sys.stdout.buffer.write(base64.b64decode(c[1]['requirements_toml_base64']))",
		made["trammel.mobileconfig"])
	if !bytes.Equal(toml, made["darwin codex"]) {
		t.Errorf("the profile of Codex holds %s", toml)
	}
	const values = "import sys,re; t=sys.stdin.buffer.read().decode('utf-16'); " +
		"v=re.findall(r'^\"\\w+\"=\"(.*)\"\\r?$', t, re.M); print(re.sub(r'\\\\(.)', r'\\1', v[%d]))"
	same("the registry for Claude Code", decode(fmt.Sprintf(values, 0), made["trammel.reg"]), made["windows claude-code"])
	same("the registry for Copilot", decode(fmt.Sprintf(values, 1), made["trammel.reg"]), made["windows copilot-cli"])
	const script = "import sys,re,base64; s=sys.stdin.read(); " +
		"[sys.stdout.buffer.write(base64.b64decode(x)) for x in re.findall(r\"FromBase64String\\('([^']*)'\", s)]"
	all := slices.Concat(made["windows claude-code"], made["windows codex"], made["windows gemini-cli"], made["windows copilot-cli"],
		made["windows cursor"])
	if got := decode(script, made["trammel-intune.ps1"]); !bytes.Equal(got, all) {
		t.Errorf("the script writes %s", got)
	}
}
