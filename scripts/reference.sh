#!/usr/bin/env bash
# Writes the generated pages of the reference anew: docs/reference/commands.md and configuration.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec ./mvnw -q -pl eval -am test -Dtest=ReferenceTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dlengthwise.reference.write=true
