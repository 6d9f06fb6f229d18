# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is installed beside the program, and packages of all: `cmake --workflow --preset package` writes a Debian package
# and a tarball.

# The program writes them itself. With it, so that each build that can be installed has them.
set(written ${PROJECT_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${written})
add_custom_command(TARGET warpz POST_BUILD
  COMMAND warpz help man > ${written}/warpz.1
  COMMAND warpz --completion bash > ${written}/warpz.bash
  COMMAND warpz --completion zsh > ${written}/_warpz
  COMMAND warpz --completion fish > ${written}/warpz.fish
  COMMENT "Writing the manual page and completions" VERBATIM)
install(FILES ${written}/warpz.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${written}/warpz.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME warpz
        COMPONENT program)
install(FILES ${written}/_warpz DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${written}/warpz.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# The documents keep their folders, so that their links lead to each other.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/puzzles DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
        FILES_MATCHING PATTERN README.md PATTERN lanes.svg)

set(CPACK_PACKAGE_CONTACT "The authors of warpz <warpz@example.com>" CACHE STRING "Who answers for a Debian package")
set(CPACK_PACKAGE_VENDOR "warpz")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Checks GPU kernels whose lanes talk to each other")
set(CPACK_PACKAGE_DESCRIPTION "warpz compiles and runs HIP kernels on a CPU machine that behaves like a GPU with warps of
32 or 64 lanes, and names the lane and the line that go wrong. Its puzzles teach the operations of a warp.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_SYSTEM_NAME linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR DEB TGZ)
# Line tables stay: a crash of a kernel is told by its line.
set(CPACK_STRIP_FILES OFF)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The Clang whose plugin this is; and libraries that are loaded when they are needed.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${WARPZ_CHOSEN_CLANG_MAJOR}, libdw1, libseccomp2")
# What --trace -o lanes.png and lanes.gif need.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "librsvg2-bin, imagemagick")
include(CPack)
