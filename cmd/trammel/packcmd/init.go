package packcmd

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/examples"
	"github.com/trammel-dev/trammel/internal/files"
)

func initCmd() *cobra.Command {
	var language, id, template string
	cmd := &cobra.Command{Use: "init DIRECTORY", Args: cobra.ExactArgs(1)}
	cmd.Flags().StringVar(&language, "language", "python", "python or typescript")
	cmd.Flags().StringVar(&id, "id", "", "the id of the runtime (default: the directory's name)")
	cmd.Flags().StringVar(&template, "template", "", "a complete process instead of a pack of hooks: purchase")
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if template != "" {
			return initProcess(cmd, *asJSON, template, language, args[0])
		}
		sample, ok := map[string]string{"python": "release_review_python", "typescript": "release_review_ts"}[language]
		if !ok {
			return cli.Usagef("--language: found %q, expected python or typescript", language)
		}
		dir := args[0]
		if id == "" {
			id = idOf(dir, sample)
		}
		if err := copySample(sample, dir, id); err != nil {
			return err
		}
		if _, err := openPack(dir); err != nil {
			return err
		}
		return cli.Done(cmd, *asJSON, map[string]string{"dir": dir, "id": id},
			"made %s\n\ntry it:\n  trammel pack validate %[1]s\n  trammel pack batch %[1]s %s\n", dir, filepath.Join(dir, "tests", "cases.jsonl"))
	}
	return cmd
}

// initProcess writes a process whose hooks are in one of the languages.
func initProcess(cmd *cobra.Command, asJSON bool, template, language, dir string) error {
	if template != "purchase" {
		return cli.Usagef("--template: found %q, expected purchase", template)
	}
	if language != "python" && language != "typescript" {
		return cli.Usagef("--language: found %q, expected python or typescript", language)
	}
	if err := examples.CopyProcess(template, dir); err != nil {
		return err
	}
	if language == "typescript" {
		file := filepath.Join(dir, "hooks.yaml")
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text := strings.NewReplacer("kind: python_stdio                          # js_ts_stdio runs logic/ts/main.ts",
			"kind: js_ts_stdio                 # python_stdio runs logic/python/main.py",
			"command: [python3, logic/python/main.py]    # [node, logic/ts/main.ts]",
			"command: [node, logic/ts/main.ts] # [python3, logic/python/main.py]").Replace(string(data))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return cli.Done(cmd, asJSON, map[string]string{"dir": dir, "template": template},
		"made %s\n\ntry it:\n  trammel pack validate %[1]s\n  trammel pack scenario %[1]s\n", dir)
}

// idOf makes an id from a directory's name, or uses the sample's.
func idOf(dir, sample string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return sample
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, filepath.Base(abs))
	if strings.Trim(name, "_") == "" {
		return sample
	}
	return name
}

// copySample writes the files of a sample. It never replaces a file.
func copySample(sample, dir, id string) error {
	root := path.Join("packs", sample)
	return fs.WalkDir(examples.Packs, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(name, root)))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		data, err := fs.ReadFile(examples.Packs, name)
		if err != nil {
			return err
		}
		if d.Name() == "hooks.yaml" {
			data = []byte(strings.Replace(string(data), "id: "+sample, "id: "+id, 1))
		}
		return files.Create(to, data, 0o644)
	})
}
