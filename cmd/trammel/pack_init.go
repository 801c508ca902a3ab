package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/examples"
)

func packInit() *cobra.Command {
	var language, id string
	cmd := &cobra.Command{Use: "init DIRECTORY", Args: cobra.ExactArgs(1)}
	cmd.Flags().StringVar(&language, "language", "python", "python or typescript")
	cmd.Flags().StringVar(&id, "id", "", "the id of the runtime (default: the directory's name)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		sample, ok := map[string]string{"python": "release_review_python", "typescript": "release_review_ts"}[language]
		if !ok {
			return fmt.Errorf("--language: found %q, expected python or typescript", language)
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
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "made %s\n\ntry it:\n  trammel pack validate %[1]s\n  trammel pack batch %[1]s %s\n", dir,
			filepath.Join(dir, "tests", "cases.jsonl"))
		return err
	}
	return cmd
}

// idOf makes an id of a directory's name, or takes the sample's.
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

// copySample writes the files of a sample. It replaces none.
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
		f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		if closing := f.Close(); err == nil {
			err = closing
		}
		return err
	})
}
