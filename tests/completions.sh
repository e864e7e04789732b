#!/bin/bash
# Completions: bash loads its own and completes words correctly; words of closed sets are those that the program
# accepts.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
build=$(dirname "$HECATE")
cd "$tmp" || exit 1
mkdir -p bin models/models models/themes models/stacks
touch models/stacks/my-stack.stack own.stack own.trust
touch models/themes/night.theme
ln -s "$HECATE" bin/hecate
PATH=$tmp/bin:$PATH HECATE_MODELS=$tmp/models
export HECATE_MODELS PATH
cat >models/models/my-model.udd <<'END'
model mine;
counter my.hits = "page-faults:u"; counter my.$miss = "minor-faults";
feature fast "f"; feature faster "g";
variant v1 { fast }; variant v2 = v1 + faster;
path p { count my.hits; choose { case A: count my.$miss; case B when fast: event e; } when (faster) { event f; } }
END
touch data.csv other.udd

check "bash reads the file" bash -n "$build/completions/bash/hecate"
# complete WORD…: what bash offers for the last word, sorted; words are given as bash splits them
complete_line() {
	bash -c '
		. "$0"
		declare -F _comp_command_offset _command_offset && exit 1
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_hecate 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}" | LC_ALL=C sort -u | tr "\n" " "' "$build/completions/bash/hecate" "$@"
}
is "hecate is registered" "$(bash -c '. "$0"; complete -p hecate' "$build/completions/bash/hecate")" "complete -F _hecate hecate"
is "a model or a stack after -m" "$(complete_line hecate record -m my)" "my-model my-stack "
is "a file of either" "$(complete_line hecate import -m o)" "other.udd own.stack "
is "data of import" "$(complete_line hecate import da)" "data.csv "
is "subcommands" "$(complete_line hecate p)" "paths phases print probe "
has "models and files next to subcommands" "$(complete_line hecate "")" '^bin/ calibrate check compare constraints determinism diff doctor .*my-model my-stack net other.udd own.stack '
is "an installed model" "$(complete_line hecate check my)" "my-model "
is "an installed stack" "$(complete_line hecate stack my)" "my-stack "
is "a file that is a stack" "$(complete_line hecate stack ow)" "own.stack "
is "data after the stack" "$(complete_line hecate stack my-stack da)" "data.csv "
is "a file that is a model" "$(complete_line hecate constraints oth)" "other.udd "
is "  or facts about events, for check" "$(complete_line hecate check own.t)" "own.trust "
is "  only there" "$(complete_line hecate constraints own.t)" " "
is "data after the model" "$(complete_line hecate check my-model da)" "data.csv "
mkdir -p models/networks models/models/networks
touch models/networks/mine.net models/models/networks/more.net
is "an installed network" "$(complete_line hecate net m)" "mine models/ more "
is "a network after -m" "$(complete_line hecate record -m mi)" "mine "
is "data after the network" "$(complete_line hecate net mine da)" "data.csv "
is "variants to compare" "$(complete_line hecate compare my-model v)" "v1 v2 "
is "  the second" "$(complete_line hecate compare my-model v1 v)" "v1 v2 "
is "  then data" "$(complete_line hecate compare my-model v1 v2 da)" "data.csv "
is "data to search" "$(complete_line hecate search my-model da)" "data.csv "
is "a network or a stack for the explorer" "$(complete_line hecate mi) $(complete_line hecate my-s)" "mine  my-stack "
is "doctor takes no argument" "$(complete_line hecate doctor "")" " "
is "long options of a command" "$(complete_line hecate print --d)" "--define --dot "
is "and no other" "$(complete_line hecate print --reg)" " "
is "values" "$(complete_line hecate check --region "")" "box cone ellipsoid independent "
is "values after =" "$(complete_line hecate check --region = b)" "box "
is "no value yet after =" "$(complete_line hecate check --region =)" "box cone ellipsoid independent "
is "a value is not taken for a model" "$(complete_line hecate check --region box my)" "my-model "
is "variants of the model" "$(complete_line hecate check my-model --variant v)" "v1 v2 "
is "features" "$(complete_line hecate check my-model --features fa)" "fast faster "
is "a second feature" "$(complete_line hecate check my-model --features fast,faste)" "fast,faster "
is "counters" "$(complete_line hecate constraints my-model --counters 'my.$m')" 'my.\$miss '
is "a counter, quoted for the shell" "$(complete_line hecate constraints my-model --counters 'my.hits,my.\$')" 'my.hits,my.\$miss '
is "a command's name after --" "$(complete_line hecate check my-model -- hecat)" "hecate "
is "a command's argument" "$(complete_line hecate check my-model -- cat --region da)" "data.csv "
mkdir -p models/machines models/suites
touch models/machines/tiny.machine models/suites/all.suite
is "machines" "$(complete_line hecate sim --machine t)" "tiny "
is "suites" "$(complete_line hecate sim --suite a)" "all "
is "features to plant" "$(complete_line hecate sim --plant earl)" "early_psc "
is "themes" "$(complete_line hecate my-model --theme n)" "night "

# Every option of each command, as in --help, and no other.
for command in print paths constraints check sweep search compare locate stack record import export report net metrics phases laws fit sim trace determinism diff probe calibrate slices grade events doctor; do
	is "options of $command" "$(complete_line hecate $command -- | tr ' ' '\n' | sed '/^$/d')" \
		"$("$HECATE" $command --help | grep -oE '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | LC_ALL=C sort)"
done
# The program accepts each word of a closed set, and refuses others.
for option in region color; do
	for word in $(complete_line hecate check --$option ""); do
		status 0 "$HECATE" check --$option "$word" --help
	done
	status 2 "$HECATE" check --$option nonsense --help
	has "--$option: the message names as many words" "$err" "$(complete_line hecate check --$option "" | awk '{ print $1 ".*" }')"
done

if command -v zsh >/dev/null; then check "zsh reads its own" zsh -n "$build/completions/zsh/_hecate"; else skip "zsh reads its own" "zsh is not installed"; fi
if command -v fish >/dev/null; then
	check "fish reads its own" fish -n "$build/completions/fish/hecate.fish"
	is "fish completes values" "$(fish -N -c "source $build/completions/fish/hecate.fish; complete -C 'hecate check --region b'" | cut -f1)" "box"
else
	skip "fish reads its own" "fish is not installed"
fi
done_testing
