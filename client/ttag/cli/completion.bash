# Completion of ttag for bash: eval "$(ttag completion bash)"

_ttag() {
    local line=${COMP_LINE:0:COMP_POINT} word before candidate
    word=${line##*[[:space:]]}
    # bash replaces only what follows the last : or =, or begins with the last @.
    before=${word%"${word##*[:=]}"}
    [[ ${word#"$before"} == *@* ]] && before=${word%@*}
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("${candidate#"$before"}")
    done < <("${COMP_WORDS[0]}" complete -- "$line" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]]; then
        compopt -o nospace
    fi
}

complete -o default -F _ttag ttag
