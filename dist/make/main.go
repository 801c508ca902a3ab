// Command make builds everything that a release consists of: archives, packages
// for dpkg, rpm, apk and npm, a container image, manifests of other package
// managers, plugins for agents, lists of what is in the programs, the list of
// checksums and, if there is a key to sign them, what it was built from. The same
// commit gives the same bytes.
//
//	go run ./dist/make -out bin/dist
//	go run ./dist/make -targets linux/amd64 -key ~/release.key
//	go run ./dist/make -verify bin/dist -key ~/release.key
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

// allTargets are what a release is built for.
const allTargets = "darwin/amd64,darwin/arm64,linux/amd64,linux/arm64,windows/amd64,windows/arm64"

func main() {
	out := flag.String("out", "bin/dist", "the `directory` to write to; what is in it is deleted")
	targets := flag.String("targets", allTargets, "what to build for, as goos/goarch; manifests are written only if all are built")
	key := flag.String("key", "", "the `file` with the private key that signs the checksums; the public one is beside it, in FILE.pub")
	check := flag.String("verify", "", "build nothing: check the release in this `directory` against its checksums and its provenance")
	version := flag.String("version", "", "the version, without v (default: the tag of this commit, or one made from its hash)")
	flag.Parse()
	if *check != "" {
		if err := verify(*check, *key); err != nil {
			fmt.Fprintln(os.Stderr, "dist:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*out, strings.Split(*targets, ","), *key, *version); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(out string, targets []string, key, version string) error {
	r, err := newRelease(version, targets)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	for _, step := range []func() error{r.build, r.texts, r.archives, r.packages, r.npm, r.image, r.plugins, r.manifests} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := r.sign(key); err != nil {
		return err
	}
	return r.write(out)
}
