# CMake with accrue-cc as compiler; find_package(OpenACC) finds it and reads the date of the specification.
# needs: cmake make
directive_program a.c
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(probe C)
find_package(OpenACC REQUIRED COMPONENTS C)
message(STATUS "id ${CMAKE_C_COMPILER_ID} flags ${OpenACC_C_FLAGS} date ${OpenACC_C_SPEC_DATE}")
add_library(work STATIC work.c)
add_executable(prog a.c)
target_link_libraries(work PRIVATE OpenACC::OpenACC_C)
target_link_libraries(prog PRIVATE OpenACC::OpenACC_C work)
END
sed 's/int main(void)/int work(void)/' a.c >work.c
cmake -S . -B build -G 'Unix Makefiles' -DCMAKE_C_COMPILER=accrue-cc >cmake.txt 2>&1 || { cat cmake.txt; fail cmake; }
contains cmake.txt 'id GNU flags -fopenacc date 202506'
cmake --build build >build.txt 2>&1 || { cat build.txt; fail 'cmake --build'; }
./build/prog
# Without find_package the compiler is a plain one.
mkdir plain
openacc_probe plain/b.c
printf 'cmake_minimum_required(VERSION 3.13)\nproject(plain C)\nadd_executable(b b.c)\n' >plain/CMakeLists.txt
cmake -S plain -B plain/build -G 'Unix Makefiles' -DCMAKE_C_COMPILER=accrue-cc >cmake.txt 2>&1
cmake --build plain/build >build.txt 2>&1
status 0 ./plain/build/b
no_temporary_files
