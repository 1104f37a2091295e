#!/usr/bin/env bash
# Writes generated files anew: docs/reference/commands.md, configuration.md and schemes/; with --numbers
# conf/agreement.safetensors, the numbers that bench --parts agreement expects, in two minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
test=ReferenceTest,SchemePicturesTest property=lengthwise.reference.write
[[ ${1:-} != --numbers ]] || test=AgreementNumbersTest property=lengthwise.numbers.write
exec ./mvnw -q -pl eval -am test "-Dtest=$test" -Dsurefire.failIfNoSpecifiedTests=false "-D$property=true"
