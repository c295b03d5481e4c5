# find_package(TargetTag) defines
#
#   target_tag(<library> <reference> [NODE <pointer>] [ALLOW_UNSAFE])
#
# which compiles a library with Clang's flags for a tag, and links it with them. The tag is resolved when CMake configures, by
# `ttag`: from targets.lock if there is one, else from the registry or the cache. CMake configures again when the lock or the
# settings change or come into being. A target with a value that could harm a build is refused without ALLOW_UNSAFE.
#
#   TargetTag_COMMAND   how to run ttag; by default the program `ttag`, or Python with the package

if(NOT DEFINED TargetTag_COMMAND)
  find_program(TargetTag_PROGRAM ttag)
  mark_as_advanced(TargetTag_PROGRAM)
  if(TargetTag_PROGRAM)
    set(TargetTag_COMMAND "${TargetTag_PROGRAM}")
  else()
    get_filename_component(_target_tag_packages "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
    find_program(TargetTag_PYTHON NAMES python3 python)
    mark_as_advanced(TargetTag_PYTHON)
    set(TargetTag_COMMAND
      "${CMAKE_COMMAND}" -E env "PYTHONPATH=${_target_tag_packages}" "${TargetTag_PYTHON}" -m ttag)
  endif()
endif()

# Runs ttag in the folder of the current CMakeLists.txt. What it writes to standard error becomes the error of CMake, or a note.
function(_target_tag_run output)
  execute_process(
    COMMAND ${TargetTag_COMMAND} ${ARGN}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE text
    ERROR_VARIABLE messages
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_STRIP_TRAILING_WHITESPACE)
  if(NOT code STREQUAL "0")
    message(FATAL_ERROR "target_tag: ${messages} (ttag: ${code})")
  elseif(messages)
    message(STATUS "${messages}")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(target_tag library reference)
  cmake_parse_arguments(PARSE_ARGV 2 arg "ALLOW_UNSAFE" "NODE" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "target_tag: unknown arguments ${arg_UNPARSED_ARGUMENTS}; expected NODE <pointer> or ALLOW_UNSAFE")
  elseif(NOT TARGET "${library}")
    message(FATAL_ERROR "target_tag: there is no library ${library}; call add_library before target_tag")
  elseif("${reference}${arg_NODE}" MATCHES ";")
    message(FATAL_ERROR "target_tag: expected one reference, not the list \"${reference}\" ${arg_NODE}")
  endif()
  # Compilers take the last of two processors, and silently so.
  get_target_property(known "${library}" TARGET_TAG)
  if(known AND NOT known STREQUAL "${reference}${arg_NODE}")
    message(FATAL_ERROR "target_tag: ${library} is compiled for ${known} already, not also for ${reference}${arg_NODE}")
  endif()
  set_target_properties("${library}" PROPERTIES TARGET_TAG "${reference}${arg_NODE}")

  set(languages)
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(language IN ITEMS C CXX OBJC OBJCXX)
    if(language IN_LIST enabled)
      if(NOT CMAKE_${language}_COMPILER_ID MATCHES "Clang$")
        message(FATAL_ERROR
          "target_tag needs Clang, but CMAKE_${language}_COMPILER is ${CMAKE_${language}_COMPILER_ID}; "
          "set CMAKE_${language}_COMPILER, or use a toolchain file: ttag resolve ${reference} --format cmake")
      endif()
      list(APPEND languages ${language})
    endif()
  endforeach()
  list(JOIN languages "," languages)

  set(options)
  if(arg_NODE)
    list(APPEND options --node "${arg_NODE}")
  endif()
  if(arg_ALLOW_UNSAFE)
    list(APPEND options --allow-unsafe)
  endif()
  _target_tag_run(flags resolve --quiet --format clang ${options} -- "${reference}")
  _target_tag_run(inputs cmake --inputs)
  string(REPLACE "\n" ";" inputs "${inputs}")
  foreach(input IN LISTS inputs)
    if(EXISTS "${input}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${input}")
    else()
      # A missing file would configure each build again; a glob is compared with what it matched.
      string(REGEX REPLACE "([][*?])" "[\\1]" pattern "${input}")
      file(GLOB _ CONFIGURE_DEPENDS "${pattern}")
    endif()
  endforeach()

  # SHELL: splits the flags as a shell does, and keeps CMake from removing repeated ones.
  string(REPLACE ";" "\\;" flags "${flags}")
  target_compile_options("${library}" PRIVATE "$<$<COMPILE_LANGUAGE:${languages}>:SHELL:${flags}>")
  get_target_property(type "${library}" TYPE)
  if(NOT type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    target_link_options("${library}" PRIVATE "SHELL:${flags}")
  endif()
endfunction()
