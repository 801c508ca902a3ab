package bundlecmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/bundles/fetch"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

func keygenCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "keygen NAME", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	out := cmd.Flags().String("out", ".", "the directory to write NAME.key and NAME.pub to")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		secret, public, err := bundles.NewKey(args[0])
		if err != nil {
			return cli.WrongCall(err)
		}
		base := filepath.Join(*out, args[0])
		if err := os.MkdirAll(*out, 0o700); err != nil {
			return err
		}
		if err := files.Create(base+".key", []byte(secret+"\n"), 0o600); errors.Is(err, os.ErrExist) {
			return fmt.Errorf("%s.key is there already and was not changed; use it, or choose another NAME or --out", base)
		} else if err != nil {
			return err
		}
		if err := files.Create(base+".pub", []byte(public+"\n"), 0o644); err != nil {
			return err
		}
		return cli.Done(cmd, *asJSON, map[string]string{"public": public, "public_file": base + ".pub", "secret_file": base + ".key"},
			"%s\n%s.key signs: keep it secret, and out of every repository.\n", public, base)
	}
	return cmd
}

const starter = yamldoc.SchemaLine + `# Rules that projects share: https://github.com/trammel-dev/trammel/blob/main/docs/sharing.md
version: 1
hooks:
  - id: no-force-push
    on: pre_tool_use
    match: { program: git }
    deny:
      when: 'args.begins("push") && (args.has("--force", "-f", "--force-with-lease", "--mirror") || args.starts("+"))'
      reason: Force-push is off. Push a branch and open a pull request.
`

func initCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "init DIRECTORY", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	name := cmd.Flags().String("name", "", "the name of the bundle (default: that of the directory)")
	version := cmd.Flags().String("version", "v0.1.0", "its version")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, err := filepath.Abs(args[0])
		if err != nil {
			return err
		}
		if *name == "" {
			*name = filepath.Base(dir)
		}
		if !bundles.IsVersion(*version) {
			return cli.Usagef("--version is %q, expected one such as v1.2.0", *version)
		}
		manifest := fmt.Sprintf("name: %s\nversion: %s\n", *name, *version)
		rules := bundles.File{Name: layers.FileName, Data: []byte(starter)}
		if _, err := bundles.New([]bundles.File{{Name: bundles.Manifest, Data: []byte(manifest)}, rules}); err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := files.Create(filepath.Join(dir, bundles.Manifest), []byte(manifest), 0o644); err != nil {
			return err
		}
		if err := files.Create(filepath.Join(dir, layers.FileName), []byte(starter), 0o644); err != nil && !os.IsExist(err) {
			return err
		}
		return cli.Done(cmd, *asJSON, map[string]string{"dir": dir, "name": *name, "version": *version},
			"%s is the bundle %s@%s; change its %s, then run: trammel bundle sign %s --key FILE\n", dir, *name, *version, layers.FileName, args[0])
	}
	return cmd
}

func signCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "sign [DIRECTORY]", Args: cobra.MaximumNArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	keys := cmd.Flags().StringArray("key", nil, "a file with a key to sign with, as keygen wrote it (can be repeated)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir := argument(args)
		var secrets []string
		for _, file := range *keys {
			secret, err := cli.Secret(file)
			if err == nil {
				err = bundles.CheckSecret(secret)
			}
			if err != nil {
				return fmt.Errorf("--key %s: %w", file, err)
			}
			secrets = append(secrets, secret)
		}
		if _, err := cli.Directory(dir); err != nil {
			return err
		}
		if len(secrets) == 0 {
			return cli.Usagef("--key is missing: the file NAME.key to sign with; trammel bundle keygen makes one")
		}
		if _, err := os.Lstat(filepath.Join(dir, bundles.Manifest)); err != nil {
			return signProject(cmd, *asJSON, dir, secrets)
		}
		b, err := bundles.ReadDir(dir)
		if err != nil {
			return err
		}
		signature, err := b.Sign(secrets...)
		if err != nil {
			return err
		}
		if err := replace(filepath.Join(dir, bundles.Signature), signature); err != nil {
			return err
		}
		return cli.Done(cmd, *asJSON, map[string]string{"name": b.Name, "version": b.Version, "sum": b.Sum}, "signed %s %s\n", b, b.Sum)
	}
	return cmd
}

// signProject signs what trust would pin in a project (TEAM-06).
func signProject(cmd *cobra.Command, asJSON bool, dir string, secrets []string) error {
	p, err := cli.Program()
	if err != nil {
		return err
	}
	s, err := config.Review(p.Dirs, dir, p.Known())
	if err != nil {
		return err
	}
	signature, err := s.Sign(time.Now(), secrets...)
	if err != nil {
		return err
	}
	fmt.Fprint(cli.Shown(cmd, asJSON), s)
	if err := replace(filepath.Join(s.Dir, config.ProjectSignature), signature); err != nil {
		return err
	}
	return cli.Done(cmd, asJSON, map[string]string{"dir": s.Dir, "digest": s.Digest}, "signed %s %s\n", s.Dir, s.Digest)
}

func verifyCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "verify [DIRECTORY | ARCHIVE]", Args: cobra.MaximumNArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	keys := cmd.Flags().StringArray("key", nil, "a public key, or the file that it is in (can be repeated)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		b, err := read(argument(args))
		if err == nil && len(*keys) == 0 {
			err = cli.Usagef("--key is missing: the public key of the signer, or the file NAME.pub that keygen wrote")
		}
		if err != nil {
			return err
		}
		public := make([]string, len(*keys))
		for i, key := range *keys {
			if public[i], err = publicKey(key); err != nil {
				return err
			}
		}
		signer, err := b.Verify(public...)
		if err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), map[string]string{"name": b.Name, "version": b.Version, "sum": b.Sum, "signer": signer})
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s %s, signed by %s\n", b, b.Sum, signer)
		return err
	}
	return cmd
}

// publicKey is a public key, given as it is or as the file that has it.
func publicKey(given string) (string, error) {
	if bundles.CheckKey(given) == nil {
		return given, nil
	}
	key, err := cli.Secret(given)
	if err == nil && bundles.CheckKey(key) != nil {
		err = errors.New("this is not a public key; trammel bundle keygen writes one to NAME.pub")
	}
	if err != nil {
		return "", fmt.Errorf("--key %s: %w", given, err)
	}
	return key, nil
}

// read reads a bundle in a directory or in an archive.
func read(path string) (*bundles.Bundle, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, fmt.Errorf("%w, expected a bundle: a directory with a %s, or an archive of it", err, bundles.Manifest)
	case info.IsDir():
		return bundles.ReadDir(path)
	}
	data, err := files.Named(path)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, ".bundle") {
		return bundles.Decode(data)
	}
	return fetch.Unpack(path, data)
}

func argument(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	return "."
}
