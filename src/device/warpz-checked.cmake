# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs that run on warpz's CPU machine, checked.

# warpz_add_checked_executable(<target> SOURCES <file>... [CXXFLAGS <flag>...] [WARP_SIZE 32|64|both]
#                              [CHECK off|collectives|all] [TIMEOUT <seconds>])
#
# Builds a whole HIP program for the CPU machine, as warpz --run does, with no need of HIP or a GPU. The target is an
# executable for add_test(NAME ... COMMAND <target>): a finding is told on standard error and gives exit code 3.
function(warpz_add_checked_executable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "WARP_SIZE;CHECK;TIMEOUT" "SOURCES;CXXFLAGS")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "warpz_add_checked_executable(<target> SOURCES <file>... [CXXFLAGS <flag>...] "
                        "[WARP_SIZE 32|64|both] [CHECK off|collectives|all] [TIMEOUT <seconds>])")
  endif()
  if(WARPZ_COMMAND)
    set(command ${WARPZ_COMMAND})
    set(built_by ${WARPZ_COMMAND})
  elseif(TARGET warpz)
    # Where warpz is a part of the project.
    set(command $<TARGET_FILE:warpz>)
    set(built_by warpz)
  else()
    message(FATAL_ERROR "warpz_add_checked_executable needs the program warpz: install it, or set WARPZ_COMMAND; where "
                        "warpz is a subdirectory of the project, set WARPZ_PROGRAM before adding it")
  endif()
  set(sources)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND sources ${source})
  endforeach()
  set(check)
  if(arg_CHECK)
    set(check --check ${arg_CHECK})
  endif()
  set(flags)
  if(arg_CXXFLAGS)
    set(flags --cxxflags ${arg_CXXFLAGS})
  endif()
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${target}.checked)
  add_custom_command(OUTPUT ${program}
    COMMAND ${command} --run ${sources} --compile-commands none --no-cache ${check} --output ${program} ${flags}
    DEPENDS ${sources} ${built_by} DEPFILE ${program}.d COMMENT "Building ${target} for warpz" VERBATIM)
  add_custom_target(${target}.build ALL DEPENDS ${program})
  # What runs it, as a file of its own: a target for add_test has to be one.
  set(options ${check})
  foreach(option WARP_SIZE TIMEOUT)
    if(arg_${option})
      string(TOLOWER ${option} name)
      string(REPLACE _ - name ${name})
      list(APPEND options --${name} ${arg_${option}})
    endif()
  endforeach()
  list(JOIN options " " options)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target})
  file(GENERATE OUTPUT ${script} CONTENT "#!/bin/sh\nexec '${command}' --run '${program}' ${options} -- \"$@\"\n"
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  add_executable(${target} IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${script})
  add_dependencies(${target} ${target}.build)
endfunction()
