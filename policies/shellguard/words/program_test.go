package words

import (
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
)

// The name, the words and the options of an unlisted program say what it does.
func TestProgram(t *testing.T) {
	for line, want := range map[string][]string{
		"fwctl disable --all":                    {"security_disabled"},
		"guardoff":                               {"security_disabled"},
		"avtool exclusions add /tmp":             {"security_disabled"},
		"auditx stop":                            {"security_disabled"},
		"fwctl whitelist 10.0.0.1":               {"cloud_change"},
		"sheetx unlock protected-range":          nil,
		"auditx ignore CVE-1":                    nil,
		"auditx skip CVE-1":                      {"cloud_change"},
		"fwctl status":                           nil,
		"alertd rules mute --all":                {"cloud_change"},
		"alertd rules list":                      nil,
		"logs retention set 0":                   {"cloud_change"},
		"policyd mode=permissive":                {"cloud_change"},
		"sessiond start --no-mfa":                {"cloud_change"},
		"npmx install --no-audit":                nil,
		"guardx --disable-all-hooks":             {"cloud_change"},
		"iamx policy attach AdministratorAccess": {"cloud_change"},
		"dbgrant --all-privileges --to bob":      {"cloud_change"},
		"userman add eve --sudo":                 {"cloud_change"},
		"webdavd --root dist":                    nil,
		"netacl allow 0.0.0.0/0":                 {"makes_public"},
		"netacl list 0.0.0.0/0":                  nil,
		"stripex refund all":                     {"spends"},
		"mailblast send all-customers":           {"publishes"},
		"mailblast send bob":                     nil,
		"vmx power off server 3":                 {"stops_remote"},
		"sandboxx stop":                          nil,
	} {
		words := strings.Fields(line)
		if got := Program(words[0], words[1:]); !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", line, got, want)
		}
	}
}

func TestRemoval(t *testing.T) {
	for line, want := range map[string]string{
		"plctool /wipe /y":                         "tool_destroys",
		"plctool /list /y":                         "",
		"featurehub env=prod op=delete":            "unknown_removal",
		"featurehub op=list":                       "",
		"erpx PURGE DATASET=A CONFIRM=YES":         "tool_destroys",
		"erpx PURGE DATASET=A CONFIRM=NO":          "unknown_removal",
		"shopx orders void-all":                    "unknown_removal",
		"shopx orders list-all":                    "",
		"migrator down --all":                      "unknown_removal",
		"composex down --all":                      "",
		"longx uninstall --force":                  "unknown_removal",
		"pkgx uninstall left-pad --force":          "",
		"uplinkx rb sj://prod --force":             "tool_destroys",
		"tabledrop users":                          "tool_destroys",
		"teardrop users":                           "",
		"nasx share remove x --delete-data":        "tool_destroys",
		"syncx --delete-after a b":                 "",
		"gcx sweep --delete-untagged --no-dry-run": "tool_destroys",
		"gcx sweep --discard-stale --force":        "unknown_removal",
	} {
		said := strings.Fields(line)
		var args []model.Word
		for _, word := range said[1:] {
			args = append(args, model.Word{Text: word, Known: true})
		}
		if got := Removal(said[0], false, args); got != want {
			t.Errorf("%s: %q, not %q", line, got, want)
		}
	}
	for text, want := range map[string][]string{
		"volume.delete 7; collection.list": {"tool_destroys"},
		`{"op":"flush","ns":"a"}`:          {"unknown_removal"},
		`{"op":"get","ns":"a"}`:            nil,
		"print 1":                          nil,
	} {
		if got := Statements(text); !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", text, got, want)
		}
	}
}

// A tool is told by its name and its arguments where programs start from.
func TestToolSettings(t *testing.T) {
	for _, c := range []struct {
		name  string
		input map[string]any
		want  []string
	}{
		{"registry_set", map[string]any{"key": `HKCU\Software\Microsoft\Windows\CurrentVersion\Run`}, []string{"persistence"}},
		{"registry_get", map[string]any{"key": `HKCU\Software\Microsoft\Windows\CurrentVersion\Run`}, nil},
		{"registry_set", map[string]any{"key": `HKCU\Software\Acme\Theme`}, nil},
		{"update_setting", map[string]any{"setting": "git.path", "value": "/tmp/git"}, []string{"shared_code"}},
		{"update_setting", map[string]any{"setting": "git.path", "value": "/usr/bin/git"}, nil},
		{"update_setting", map[string]any{"setting": "cache.folder", "value": "/tmp/x"}, nil},
		{"refund_all", nil, []string{"spends"}},
	} {
		if got := Tool(c.name, c.input); !slices.Equal(got, c.want) {
			t.Errorf("%s %v: %v, not %v", c.name, c.input, got, c.want)
		}
	}
}

func TestServes(t *testing.T) {
	for line, want := range map[string]bool{"pubshare start": true, "webx --port 80": true, "x serve": true, "x build": false,
		"x -p 80": false} {
		said := strings.Fields(line)
		var args []model.Word
		for _, word := range said[1:] {
			args = append(args, model.Word{Text: word})
		}
		if Serves(said[0], args) != want {
			t.Errorf("%s: %v", line, !want)
		}
	}
}
