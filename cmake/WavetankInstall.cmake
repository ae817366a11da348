# Installing the public library: wt_install_public(wavetank_shared) in harness/embed makes
# find_package(wavetank CONFIG) work for users; wt_install_sim adds the static libraries for
# workloads inside the simulation, wt_install_program the command-line program.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(WT_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/wavetank)

# wt_install_public(target): `target` is the shared library. It becomes libwavetank.so, exported as
# wavetank::wavetank, with only the symbols of cmake/wavetank.map, and is installed with the headers of
# include/wavetank and the package files (component "wavetank").
function(wt_install_public target)
  set(map ${CMAKE_SOURCE_DIR}/cmake/wavetank.map)
  # Before 1.0 a minor version may change the interface, so the soname carries it.
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME wavetank EXPORT_NAME wavetank
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS ${map})
  # --no-undefined is not for sanitizers, whose runtime lives in the program.
  target_link_options(${target} PRIVATE -Wl,--version-script=${map} -Wl,--exclude-libs,ALL)
  if(NOT WT_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} INTERFACE cxx_std_17)
  add_library(wavetank::wavetank ALIAS ${target})

  install(TARGETS ${target} EXPORT wavetankTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT wavetank NAMELINK_COMPONENT wavetank)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/wavetank DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          COMPONENT wavetank FILES_MATCHING PATTERN "*.h")
  install(EXPORT wavetankTargets NAMESPACE wavetank:: DESTINATION ${WT_PACKAGE_DIR} COMPONENT wavetank)
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/wavetankConfig.cmake.in
    ${CMAKE_BINARY_DIR}/wavetankConfig.cmake INSTALL_DESTINATION ${WT_PACKAGE_DIR})
  # Before 1.0 a minor version may change the interface.
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/wavetankConfigVersion.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/wavetankConfig.cmake ${CMAKE_BINARY_DIR}/wavetankConfigVersion.cmake
          DESTINATION ${WT_PACKAGE_DIR} COMPONENT wavetank)
endfunction()

# wt_install_sim(target…): static libraries with their internal headers, for
# find_package(wavetank COMPONENTS sim). Every wt_ library that a listed one links must be listed too;
# users need the same compiler and the same third-party packages.
function(wt_install_sim)
  foreach(target ${ARGN})
    target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/wavetank-sim>)
    target_compile_features(${target} INTERFACE cxx_std_20)
  endforeach()
  install(TARGETS ${ARGN} EXPORT wavetankSimTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT wavetank_sim)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/sim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wavetank-sim
          COMPONENT wavetank_sim FILES_MATCHING PATTERN "*.h")
  install(EXPORT wavetankSimTargets NAMESPACE wavetank:: DESTINATION ${WT_PACKAGE_DIR} COMPONENT wavetank_sim)
endfunction()

# wt_install_program(target): the command-line program (component "wavetank_program").
function(wt_install_program target)
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT wavetank_program)
endfunction()
